-- Care of data: backups that were made, runs of the retention job, requests of families about their data, consents, and
-- how the foundation looks.

create table backups (
  id bigint generated always as identity primary key,
  -- 'night', 'office', 'command'
  made_by text not null,
  staff_id bigint references staff (id),
  started_at timestamptz not null,
  ended_at timestamptz,
  file_name text not null default '',
  bytes bigint not null default 0,
  -- Of the whole file
  sha256 text not null default '',
  rows bigint not null default 0,
  files int not null default 0,
  -- Contents that a row names and that are not there
  missing int not null default 0,
  -- When it was read back whole and every checksum agreed
  verified_at timestamptz,
  -- When the file was deleted because of its age
  deleted_at timestamptz,
  error text not null default ''
);
create index backups_in_time on backups (started_at desc, id desc);

-- One run of the retention job, or a dry run of it: how much of each kind of data went, or would go
create table retention_runs (
  id bigint generated always as identity primary key,
  dry boolean not null,
  -- {"sessions": 12, ...}
  counts jsonb not null default '{}',
  staff_id bigint references staff (id),
  started_at timestamptz not null,
  ended_at timestamptz
);
create index retention_runs_in_time on retention_runs (started_at desc, id desc);

-- A family asks for what is held about a child, or that it be erased. What is said here goes when the request is erased;
-- that there was one stays.
create table data_requests (
  id bigint generated always as identity primary key,
  -- 'export', 'erase'
  kind text not null check (kind in ('export', 'erase')),
  -- The child as it was named; the records of other seasons are found from it
  student_id bigint not null references students (id),
  school_id bigint not null references schools (id),
  -- 'family', 'school', 'office'
  asked_through text not null,
  asked_by_user bigint references users (id),
  asked_by_staff bigint references staff (id),
  asked_at timestamptz not null,
  -- Last day (IST) of the clock that the law sets
  due_on date not null,
  -- In the words of who asks, and how the office can reach them; emptied with the child's data
  words text not null default '',
  reach text not null default '',
  -- 'asked', 'checked' (who asks is who they say), 'working', 'done', 'declined', 'withdrawn'
  state text not null default 'asked',
  -- How it was made sure that a parent asks: 'family-code', 'call-back', 'document', 'school'
  check_method text not null default '',
  check_note text not null default '',
  checked_by bigint references staff (id),
  checked_at timestamptz,
  -- The child's records in all seasons as they were found then: what is carried out is about these alone
  records bigint[] not null default '{}',
  decision text not null default '',
  decided_by bigint references staff (id),
  decided_at timestamptz,
  done_at timestamptz,
  -- What was done: counts by kind of data, never the data
  outcome jsonb not null default '{}',
  job_id text,
  version int not null default 1,
  -- Nobody erases alone
  check (kind <> 'erase' or state not in ('working', 'done') or decided_by <> checked_by)
);
create unique index data_requests_open on data_requests (student_id, kind) where state in ('asked', 'checked', 'working');
create index data_requests_in_order on data_requests (state, due_on, id);
create index data_requests_of_school on data_requests (school_id, id desc);
create index data_requests_of_student on data_requests (student_id);

-- A parent's consent, or its withdrawal, for one child: which notice in which language, how it was given, when.
create table consents (
  id bigint generated always as identity primary key,
  student_id bigint not null references students (id),
  school_id bigint not null references schools (id),
  notice_version text not null,
  -- Of the words that were shown
  notice_sha256 text not null,
  language text not null,
  -- 'otp-parent', 'school-attested', 'family-code'
  method text not null,
  -- 'given', 'withdrawn'
  state text not null check (state in ('given', 'withdrawn')),
  at timestamptz not null
);
create index consents_of_student on consents (student_id, id desc);

-- When this child's data was erased: what is left of the row says nothing about it
alter table students add column erased_at timestamptz;

-- How the foundation looks: its logo (written anew by us) and two colours of its own, empty for ours
alter table foundation
  add column logo_file_id text references files (id),
  add column colour text not null default '',
  add column colour_dark text not null default '';

-- Each night's work waits once, however many instances there are
create unique index jobs_of_the_night on jobs (kind) where state in ('waiting', 'running') and kind like 'care.%.night';

-- One kind of record, the newest first: a rare kind is found without walking through all lines
create index audit_by_kind on audit (subject_kind, at, id);
