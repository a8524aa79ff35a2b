alter table result_sets
  -- Row of the file up to which it has been read: a batch and this number commit together, so that a reading that was
  -- cut off goes on behind it
  add column read_to int not null default 0,
  -- Why it corrects a version that schools have seen; they read it. Empty for a first version
  add column reason text not null default '';

-- The version whose marks a correction by hand takes over, but for the rows that it changes.
alter table result_sets add column based_on bigint references result_sets (id);

-- A certificate certifies the version it was made from. Where a correction has changed what it says it is revoked, and
-- the next download gets another number.
alter table certificates
  add column set_id bigint references result_sets (id),
  add column revoked_at timestamptz,
  -- Version of the correction
  add column revoked_by_version int,
  drop constraint certificates_student_id_event_id_key;
create unique index certificates_in_force on certificates (student_id, event_id) where revoked_at is null;

-- The papers of an event's dates compared, class by class; where they differ somebody decides, with a reason, before the
-- version is approved. Null where all sat on one date.
alter table result_sets
  add column papers jsonb,
  add column papers_differ boolean not null default false,
  add column papers_note text not null default '',
  add column papers_decided_by bigint references staff (id),
  add column papers_decided_at timestamptz;
