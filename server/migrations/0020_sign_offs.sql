-- Since when a school's list of an event is signed off: nobody of it is entered, changed or removed while this is set.
-- Writers of enrolments hold the row (for share) and look at this column.
alter table participations add column signed_off_at timestamptz;
create index participations_signed_off on participations (school_id, event_id) where signed_off_at is not null;

-- Each time that a coordinator signed a list off, and who opened it again and why. Nothing of it is deleted.
create table sign_offs (
  id bigint generated always as identity primary key,
  participation_id bigint not null references participations (id),
  -- Active students of the list, as the coordinator typed it
  students int not null,
  -- What was still missing: kind of check and how many
  missing jsonb not null default '{}',
  signed_by bigint not null references users (id),
  signed_by_name text not null,
  signed_at timestamptz not null,
  reopened_by bigint references users (id),
  reopened_by_name text not null default '',
  reopened_at timestamptz,
  reason text not null default ''
);
create unique index sign_offs_in_force on sign_offs (participation_id) where reopened_at is null;
create index sign_offs_by_participation on sign_offs (participation_id, id desc);
