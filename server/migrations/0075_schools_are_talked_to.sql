-- Notes of the office on a school with a day on which somebody follows up; the mails of a school; e-mails to many schools.

create table school_notes (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools,
  kind text not null check (kind in ('note', 'call')),
  body text not null,
  written_by bigint not null references staff,
  written_at timestamptz not null,
  -- Null while nobody has changed it
  changed_at timestamptz,
  follow_up date,
  followed_up_at timestamptz,
  followed_up_by bigint references staff,
  version int not null default 1,
  check (followed_up_at is null or follow_up is not null)
);
create index school_notes_of_school on school_notes (school_id, id desc);
create index school_notes_to_follow_up on school_notes (follow_up)
  where follow_up is not null and followed_up_at is null;

create trigger zz_school_not_merged after insert or update of school_id on school_notes for each row
  when (new.school_id is not null) execute function refuse_merged_school();

-- An e-mail to all schools that filters leave; a job sends it.
create table school_mailings (
  id bigint generated always as identity primary key,
  season text not null,
  subject text not null,
  body text not null,
  -- Whom of each school it goes to
  readers text not null check (readers in ('coordinators', 'everyone')),
  filters jsonb not null,
  job_id text,
  created_by bigint not null references staff,
  created_at timestamptz not null
);
-- The schools as they were found when it was sent, each written to once. Mails: null until the school's turn has come.
create table school_mailing_schools (
  mailing_id bigint not null references school_mailings,
  school_id bigint not null references schools,
  mails int,
  primary key (mailing_id, school_id)
);
create index school_mailing_schools_to_do on school_mailing_schools (mailing_id, school_id) where mails is null;

-- The school that a mail concerns, the account that it goes to, and the e-mail to many schools that it is one of. Null: none,
-- or written before this was kept.
alter table outbox
  add column school_id bigint,
  add column user_id bigint,
  add column mailing_id bigint;
