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
  -- What the school was told last
  told text not null default '' check (told in ('', 'invited', 'withdrawn')),
  told_at timestamptz,
  reminded_at timestamptz,
  answer text not null default '' check (answer in ('', 'yes', 'no')),
  answer_note text not null default '',
  answered_by bigint references users (id),
  answered_at timestamptz,
  primary key (event_id, student_id)
);
create index next_level_invitations_of_school on next_level_invitations (school_id, event_id);
create index next_level_invitations_of_student on next_level_invitations (student_id);

-- Who goes on, found without reading a whole version
create index results_leading_on on results (set_id) where next_level;
