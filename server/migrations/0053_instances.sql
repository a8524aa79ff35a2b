-- The instances that run on this database, so that one that does not share its files and backups with them is noticed.
create table instances (
  id text primary key,
  host text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
