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
  primary key (set_id, student_id)
);
create index results_of_school on results (school_id, event_id, set_id, class_id);
create index results_of_student on results (student_id);
-- The best of a version, and those who share a rank
create index results_by_rank on results (set_id, class_id, olympiad_rank);

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
  resolution text not null default ''
);
create index result_anomalies_of_set on result_anomalies (set_id, id);

-- Schools whose results are held back, with the reason.
create table result_holds (
  event_id bigint not null references events (id),
  school_id bigint not null references schools (id),
  reason text not null,
  held_by bigint references staff (id),
  held_at timestamptz not null,
  primary key (event_id, school_id)
);
