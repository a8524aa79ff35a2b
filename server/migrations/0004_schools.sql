-- The school detail form of somebody without a school link, waiting for the foundation.
create table applications (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  school_name text not null,
  name_key text not null,
  address text not null,
  city text not null,
  state text not null,
  district text not null,
  country text not null,
  pin_code text not null,
  phone text not null,
  udise_code text not null default '',
  affiliation_no text not null default '',
  -- 'submitted', 'approved', 'rejected'
  state_of_review text not null default 'submitted',
  reason text not null default '',
  school_id bigint references schools (id),
  submitted_at timestamptz not null,
  decided_by bigint references staff (id),
  decided_at timestamptz,
  version int not null default 1,
  -- What the office asks back before it decides, and what the applicant answers; 'asked' is one more state of review.
  question text not null default '',
  asked_at timestamptz,
  asked_by bigint references staff (id),
  answer text not null default '',
  answered_at timestamptz
);
create index applications_queue on applications (state_of_review, submitted_at);
create unique index applications_open on applications (user_id) where state_of_review in ('submitted', 'asked');

create table contacts (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  season text not null,
  designation_id int not null references designations (id),
  title_id int not null references titles (id),
  name text not null,
  email text not null,
  alt_email text not null default '',
  mobile text not null,
  alt_mobile text not null default '',
  active boolean not null default true,
  -- A contact that a school adds waits for the office to confirm it
  confirmed_at timestamptz,
  created_at timestamptz not null,
  version int not null default 1
);
create index contacts_of_school on contacts (school_id, season);
-- Contacts that schools have asked for and nobody has confirmed yet
create index contacts_to_confirm on contacts (school_id) where confirmed_at is null;

-- The link behind the QR code on a school's invitation, and its access code.
create table school_links (
  id text primary key,
  school_id bigint not null references schools (id),
  access_code_hash text not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  -- The access code encrypted with the key of the installation, so that the office can print the letter again
  access_code_sealed text not null default '',
  created_by bigint references staff (id),
  -- A link that came with a school that was merged: it opens the one that stays, whose own link is the one shown.
  came_from bigint references schools (id)
);
create index school_links_of_school on school_links (school_id);

-- Somebody is invited to work for a school: the mail's link works once and until its end.
create table school_invitations (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  email text not null,
  name text not null,
  token_hash text not null unique,
  invited_by_user bigint references users (id),
  invited_by_staff bigint references staff (id),
  invited_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_by bigint references users (id),
  accepted_at timestamptz,
  withdrawn_at timestamptz,
  -- An invitation can be sent again: its link is a new one each time, the end moves. The language is that of its mail.
  language text not null default 'en',
  sent_at timestamptz not null,
  times_sent int not null default 1
);
create unique index school_invitations_open on school_invitations (school_id, email)
  where accepted_at is null and withdrawn_at is null;
create index school_invitations_of_school on school_invitations (school_id);

-- A school's coordinator offers the part to a colleague, who takes it or not. One offer of a school is open at a time.
create table coordinator_offers (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  from_user bigint not null references users (id),
  to_user bigint not null references users (id),
  offered_at timestamptz not null,
  expires_at timestamptz not null,
  -- 'open', 'accepted', 'declined', 'withdrawn'
  state text not null default 'open',
  ended_at timestamptz,
  check (from_user <> to_user)
);
create unique index coordinator_offers_open on coordinator_offers (school_id) where state = 'open';

-- Who was removed from a school comes back by an invitation alone, not by the access code of its letter.
create table school_departures (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  user_id bigint not null references users (id),
  removed_by_user bigint references users (id),
  removed_by_staff bigint references staff (id),
  reason text not null default '',
  removed_at timestamptz not null,
  -- Invited again since
  returned_at timestamptz
);
create index school_departures_of_user on school_departures (user_id, school_id) where returned_at is null;
create index school_departures_of_school on school_departures (school_id, removed_at desc);

-- The office in a school's portal, for a reason and a limited time; its people see it
create table acting_sessions (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  staff_id bigint not null references staff (id),
  -- Whose account is used
  user_id bigint not null references users (id),
  reason text not null,
  started_at timestamptz not null,
  until timestamptz not null,
  ended_at timestamptz
);
create index acting_sessions_of_school on acting_sessions (school_id, started_at desc);
alter table sessions add foreign key (acting_session_id) references acting_sessions (id);

-- What the office notes of a school, with a day on which somebody follows up
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

-- Two entries of one school become one: what each said before, what moved, and how clashes were settled.
create table school_merges (
  id bigint generated always as identity primary key,
  from_school bigint not null unique references schools (id),
  to_school bigint not null references schools (id),
  -- The details of both as they were: { "stays": {...}, "leaves": {...} }
  before jsonb not null,
  -- Rows of each table that went over
  moved jsonb not null,
  -- Rows that could not go over as they were, by the kind of clash, with what they were before
  settled jsonb not null,
  merged_by bigint not null references staff (id),
  merged_at timestamptz not null,
  check (from_school <> to_school)
);
create index school_merges_to on school_merges (to_school);

-- A file of schools that the office has brought in: its rows are checked by a job, looked at, and made by another.
create table school_imports (
  id text primary key,
  file_name text not null,
  file_id text not null references files (id),
  -- The headings with the first rows below each, and which detail each column is ('' for none)
  headings jsonb not null,
  fields jsonb not null,
  -- 'checking', 'checked', 'importing', 'done'
  state text not null,
  job_id text not null,
  created_by bigint not null references staff (id),
  created_at timestamptz not null,
  imported_at timestamptz,
  -- Its columns were taken from a file with the same headings
  remembered boolean not null default false
);
create index school_imports_in_time on school_imports (created_at desc);

create table school_import_rows (
  import_id text not null references school_imports (id) on delete cascade,
  -- The row's number in the file
  row_no int not null,
  -- 'new', 'likely' (looks like a known one), 'known', 'faulty', 'created'
  state text not null,
  -- The cells as they stand there, the details read from them, and what is wrong: [{"field","message"}]
  cells jsonb not null,
  details jsonb not null,
  faults jsonb not null default '[]',
  -- The known school that it is or looks like, or the one made of it
  school_id bigint references schools (id),
  -- What the row may be once more: known schools and earlier rows of the file, the likest first, [{"school"}] or [{"row"}]
  alike jsonb not null default '[]',
  -- What the officer says of that; empty: not yet
  decision text not null default '' check (decision in ('', 'same', 'different')),
  primary key (import_id, row_no)
);
create index school_import_rows_by_state on school_import_rows (import_id, state, row_no);

-- Which column of a file of schools is what, for a set of headings: remembered from the last time that somebody said so.
create table school_layouts (
  headings text primary key,
  fields jsonb not null,
  updated_by bigint not null references staff (id),
  updated_at timestamptz not null
);

-- Reminders that the office has sent to schools about their next step
create table school_reminders (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  season text not null,
  -- 'enrol', 'pay', 'choose-dates'
  step text not null,
  -- To how many people of the school
  people int not null,
  sent_by bigint not null references staff (id),
  sent_at timestamptz not null
);
create index school_reminders_of_school on school_reminders (school_id, sent_at desc);

-- What each school has to do next in a season and until when, counted with the figures
create table school_steps (
  season text not null,
  school_id bigint not null references schools (id),
  -- 'enrol', 'pay', 'choose-dates'
  step text not null,
  until date,
  students int not null,
  -- Paise
  due bigint not null,
  primary key (season, school_id)
);
create index school_steps_in_order on school_steps (season, step, until, school_id);

-- The figures of a season as they were counted last: counting a large one takes longer than a page may
create table season_figures (
  season text primary key,
  taken_at timestamptz not null,
  figures jsonb not null
);
