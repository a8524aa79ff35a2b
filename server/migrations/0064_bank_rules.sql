-- Lines that are no money of schools whenever they come: ignored at their import. A rule is revoked, never removed.
create table bank_rules (
  id bigint generated always as identity primary key,
  contains text not null check (length(contains) >= 4),
  reason text not null,
  created_by bigint not null references staff (id),
  created_at timestamptz not null,
  revoked_by bigint references staff (id),
  revoked_at timestamptz
);
create unique index bank_rules_active on bank_rules (lower(contains)) where revoked_at is null;
alter table bank_lines add column rule_id bigint references bank_rules (id);
