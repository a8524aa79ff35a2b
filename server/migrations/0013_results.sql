-- One import of marks for an event; a correction after release is the next version.
create table result_sets (
  id bigint generated always as identity primary key,
  event_id bigint not null references events (id),
  version int not null,
  -- 'importing', 'imported', 'computing', 'computed', 'approved', 'released', 'superseded', 'failed'
  state text not null,
  -- The import or computation under way, or the last one
  job_id text,
  rows int not null default 0,
  rules jsonb not null default '{}',
  rules_version int not null default 1,
  file_id text references files (id),
  imported_by bigint references staff (id),
  imported_at timestamptz not null,
  computed_by bigint references staff (id),
  computed_at timestamptz,
  approved_by bigint references staff (id),
  approved_at timestamptz,
  -- Schools see the highest approved version whose time has come: no worker has to run for it
  release_at timestamptz,
  released_at timestamptz,
  -- Row of the file up to which it has been read: a batch and this number commit together, so that a reading that was
  -- cut off goes on behind it
  read_to int not null default 0,
  -- Why it corrects a version that schools have seen; they read it. Empty for a first version
  reason text not null default '',
  -- The version whose marks a correction by hand takes over, but for the rows that it changes.
  based_on bigint references result_sets (id),
  -- The papers of an event's dates compared, class by class; where they differ somebody decides, with a reason, before the
  -- version is approved. Null where all sat on one date.
  papers jsonb,
  papers_differ boolean not null default false,
  papers_note text not null default '',
  papers_decided_by bigint references staff (id),
  papers_decided_at timestamptz,
  -- Why marks were imported before the last exam date of the event; empty where they were not.
  early_reason text not null default '',
  unique (event_id, version)
);

-- The marks of a version as they were imported, in ten-thousandths of a mark; the ranks are computed from these.
create table result_marks (
  set_id bigint not null references result_sets (id),
  student_id bigint not null,
  school_id bigint not null,
  class_id int not null,
  -- Row of the file
  row_no int not null,
  present boolean not null,
  section_marks int[] not null,
  raw_score int not null,
  final_score int not null,
  primary key (set_id, student_id)
);

-- Marks and everything computed from them, one row for a student in an event. Scores are in ten-thousandths of a mark.
create table results (
  set_id bigint not null references result_sets (id),
  student_id bigint not null references students (id),
  event_id bigint not null,
  school_id bigint not null,
  class_id int not null,
  section text not null,
  state text not null,
  zone text not null,
  exam_roll_no text not null,
  student_name text not null,
  present boolean not null,
  section_marks int[] not null,
  raw_score int not null,
  final_score int not null,
  -- Tie-break values in order, larger is better
  tie_breaks int[] not null default '{}',
  class_rank int,
  state_rank int,
  zonal_rank int,
  olympiad_rank int,
  class_pool int,
  state_pool int,
  zonal_pool int,
  olympiad_pool int,
  -- '', 'Gold', 'Silver', 'Bronze'
  medal text not null default '',
  prize text not null default '',
  prize_amount int not null default 0,
  coupon_link text not null default '',
  award text not null default '',
  -- Eligible for the next level
  next_level boolean not null default false,
  -- The deciding facts behind rank, medal, award and eligibility
  reason jsonb not null default '{}',
  -- The secret half of the address of a result's public page; whoever holds it reads that page. Renewing it ends the address.
  link_secret uuid not null default gen_random_uuid(),
  primary key (set_id, student_id)
);
create index results_of_school on results (school_id, event_id, set_id, class_id);
create index results_of_student on results (student_id);
-- The best of a version, and those who share a rank
create index results_by_rank on results (set_id, class_id, olympiad_rank);
-- Who has won something, by rank: a few among many.
create index results_with_medal on results (set_id, olympiad_rank, class_id, exam_roll_no) include (student_id)
  where medal <> '';
create index results_with_prize on results (set_id, olympiad_rank, class_id, exam_roll_no) include (student_id)
  where prize <> '';
create index results_with_award on results (set_id, olympiad_rank, class_id, exam_roll_no) include (student_id)
  where award <> '';
create index results_leading_on on results (set_id, student_id) where next_level;

-- What is wrong or odd in an import, one row each, to work through.
create table result_anomalies (
  id bigint generated always as identity primary key,
  set_id bigint not null references result_sets (id),
  row_no int not null,
  exam_roll_no text not null,
  -- 'unknown_roll', 'absent_marked', 'zero_marks', 'above_maximum', 'twice', ...
  kind text not null,
  detail jsonb not null default '{}',
  -- Blocking anomalies keep a set from being computed
  blocking boolean not null,
  resolved_at timestamptz,
  resolved_by bigint references staff (id),
  resolution text not null default '',
  -- What was decided and taken back, oldest first: [{ resolution, by, at, reason, reopenedBy, reopenedAt }]
  reopened jsonb not null default '[]'
);
create index result_anomalies_of_set on result_anomalies (set_id, id);
-- Whether a child's row before was left out is asked of each batch of a marks file.
create index result_anomalies_by_roll on result_anomalies (set_id, exam_roll_no);

-- Schools whose results are held back, with the reason.
create table result_holds (
  event_id bigint not null references events (id),
  school_id bigint not null references schools (id),
  reason text not null,
  held_by bigint references staff (id),
  held_at timestamptz not null,
  primary key (event_id, school_id)
);

-- The released results of a school in one version, in the words of the call that answers them: written at the first
-- reading, read a thousand times. A copy that can be made again at any time, so no backup holds it.
create table result_lists (
  school_id bigint not null,
  set_id bigint not null references result_sets (id) on delete cascade,
  -- The shape of the rows, so that another release of the program writes its own
  shape text not null,
  rows int not null,
  body text not null,
  primary key (school_id, set_id)
);
create index result_lists_of_set on result_lists (set_id);

-- A computed version in figures, class by class, and what differs from the version that schools saw before it: written with
-- the results, since reading half a million rows of a large olympiad for each look at it took seconds.
create table result_figures (
  set_id bigint not null references result_sets (id) on delete cascade,
  class_id int not null,
  present int not null,
  absent int not null,
  schools int not null,
  gold int not null,
  silver int not null,
  bronze int not null,
  medals int not null,
  prizes int not null,
  -- Paise
  amount bigint not null,
  awards int not null,
  next_level int not null,
  highest int not null,
  -- A result has changed since: counted anew by whoever reads next
  stale boolean not null default false,
  primary key (set_id, class_id)
);

create table result_differences (
  set_id bigint primary key references result_sets (id) on delete cascade,
  -- The version that is compared with
  before_id bigint not null references result_sets (id) on delete cascade,
  added int not null,
  removed int not null,
  changed int not null
);
create index result_differences_before on result_differences (before_id);

-- How many students that have paid a school has entered for an olympiad, kept with a season's figures: for lists over all
-- schools of a large season.
create table event_school_figures (
  event_id bigint not null,
  school_id bigint not null,
  students int not null,
  primary key (event_id, school_id)
);

-- What is counted with a season's figures, for lists over all schools and all entries of a large season.
create table school_figures (
  season text not null,
  school_id bigint not null,
  students int not null,
  -- Owed and not sent, in paise
  due bigint not null,
  primary key (season, school_id)
);

create table event_figures (
  event_id bigint not null,
  -- 0: all classes together
  class_id int not null,
  -- Active students that are entered, and how many of them have not paid
  students int not null,
  unpaid int not null,
  -- Schools that have entered some who have paid
  schools int not null,
  primary key (event_id, class_id)
);

-- The number printed on the certificate of a child in an event: random, so that none can be guessed from another. What
-- is certified is not kept: it is the released result of the moment.
create table certificates (
  number text primary key,
  student_id bigint not null references students (id),
  event_id bigint not null references events (id),
  created_at timestamptz not null,
  -- A certificate certifies the version it was made from. Where a correction has changed what it says it is revoked, and
  -- the next download gets another number.
  set_id bigint references result_sets (id),
  revoked_at timestamptz,
  -- Version of the correction
  revoked_by_version int
);
create unique index certificates_in_force on certificates (student_id, event_id) where revoked_at is null;
create index certificates_of_student on certificates (student_id);

-- Invitations to the next level, as a step of its own: a list made from released results, changed by hand with reasons,
-- approved by a second person, sent to the schools, answered by them.
create table next_level_rounds (
  -- The event whose results lead on
  event_id bigint primary key references events (id),
  season text not null references seasons (label),
  -- The level that is invited to
  level int not null,
  -- The version of the results by which the list stands; a newer one is taken over by a person, never by itself
  set_id bigint not null references result_sets (id),
  -- Until the end of this IST day schools answer
  answer_by date not null,
  -- What schools read beside the list
  note text not null default '',
  version int not null default 1,
  -- Who changed it last, and all who have since it was approved: none of them approves it
  made_by bigint references staff (id),
  made_at timestamptz not null,
  prepared_by bigint[] not null default '{}',
  approved_by bigint references staff (id),
  approved_at timestamptz,
  -- The sending under way, or the last one
  job_id text
);
create index next_level_rounds_of_season on next_level_rounds (season);

create table next_level_invitations (
  event_id bigint not null references next_level_rounds (event_id),
  student_id bigint not null references students (id),
  school_id bigint not null references schools (id),
  class_id int not null,
  -- Whether the office invites the child, and whether a person decided so instead of the rules
  wanted boolean not null,
  by_hand boolean not null default false,
  reason text not null default '',
  decided_by bigint references staff (id),
  decided_at timestamptz not null,
  -- The last notice that the school got
  notice text not null default '' check (notice in ('', 'invited', 'withdrawn')),
  notified_at timestamptz,
  reminded_at timestamptz,
  answer text not null default '' check (answer in ('', 'yes', 'no')),
  answer_note text not null default '',
  answered_by bigint references users (id),
  answered_at timestamptz,
  -- What a child of a list of the next level is found by: its folded name, and its exam roll number in that version. Looking
  -- both up for each child of a list read eight pages of the two largest tables for every one of them.
  found_by text not null,
  primary key (event_id, student_id)
);
create index next_level_invitations_of_school on next_level_invitations (school_id, event_id);
create index next_level_invitations_of_student on next_level_invitations (student_id);
