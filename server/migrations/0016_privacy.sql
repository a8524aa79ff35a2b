-- A family asks for what is held about a child, or that it be erased. What is said here goes when the request is erased;
-- that there was one stays.
create table data_requests (
  id bigint generated always as identity primary key,
  -- 'export', 'erase'
  kind text not null check (kind in ('export', 'erase', 'correct')),
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
  -- The message of the person who asks, and how the office can reach them; emptied with the child's data
  message text not null default '',
  contact text not null default '',
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

-- What was erased on request, by the numbers of the children's records alone: a backup from before holds the child and does
-- not know of it, so this list is in every later backup, and a restore carries it out again. Kept for good.
create table erasures (
  id bigint generated always as identity primary key,
  student_id bigint not null,
  -- Numbers are given again after a restore: the record is the one that was entered then. Null in lists of older versions.
  entered_at timestamptz,
  at timestamptz not null,
  request_id bigint not null,
  unique nulls not distinct (student_id, entered_at)
);

create table incidents (
  id bigint generated always as identity primary key,
  title text not null,
  -- Of title and what happened, folded, for the search
  search_key text not null,
  -- 'disclosed', 'changed', 'lost', 'unavailable'
  nature text not null check (nature in ('disclosed', 'changed', 'lost', 'unavailable')),
  -- From here the clocks run
  found_at timestamptz not null,
  -- For the register and the Board; what those affected read is worded apart
  happened text not null,
  extent text not null default '',
  measures text not null default '',
  state text not null default 'open' check (state in ('open', 'closed')),
  closed_by bigint references staff (id),
  closed_at timestamptz,
  opened_by bigint not null references staff (id),
  opened_at timestamptz not null,
  job_id text references jobs (id) on delete set null,
  version int not null default 1,
  -- {"en": {"subject", "text"}, "hi": {...}}, null until it is written; from the first sending on it stays as it is
  mail jsonb,
  sent_by bigint references staff (id),
  sent_at timestamptz
);
create index incidents_in_time on incidents (found_at desc, id desc);

-- Each child or person of a school who is affected, once for an incident, with when they were notified
create table incident_people (
  id bigint generated always as identity primary key,
  incident_id bigint not null references incidents (id),
  student_id bigint references students (id) on delete cascade,
  user_id bigint references users (id),
  notified_at timestamptz,
  -- 'mail', 'otherwise'
  notified_via text not null default '',
  -- How, if not by e-mail
  notified_note text not null default '',
  mail_key text not null default '',
  check ((student_id is null) <> (user_id is null))
);
create unique index incident_people_children on incident_people (incident_id, student_id) where student_id is not null;
create unique index incident_people_users on incident_people (incident_id, user_id) where user_id is not null;
create index incident_people_of_student on incident_people (student_id) where student_id is not null;
create index incident_people_to_notify on incident_people (incident_id, id) where notified_at is null;

create table incident_notes (
  id bigint generated always as identity primary key,
  incident_id bigint not null references incidents (id),
  text text not null,
  staff_id bigint not null references staff (id),
  at timestamptz not null
);
create index incident_notes_of on incident_notes (incident_id, at, id);
