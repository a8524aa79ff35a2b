-- An officer who acts for a school: whose name the line stands for beside the officer's own
alter table audit add column acting_for text not null default '';
-- The record of changes is read newest first, by day, by what was done and by who did it
drop index audit_by_time;
create index audit_in_time on audit (at, id);
create index audit_by_action on audit (action, at, id);
create index audit_by_actor on audit (actor_kind, actor_id, at, id);

-- The office in a school's portal, for a reason and a limited time; its people see it
create table school_visits (
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
create index school_visits_of_school on school_visits (school_id, started_at desc);
alter table sessions add column visit_id bigint references school_visits (id);
create index sessions_of_visit on sessions (visit_id) where visit_id is not null;
create index sessions_by_staff on sessions (staff_id, last_seen_at) where staff_id is not null;

-- Reminders that the office has sent to schools about their next step
create table school_nudges (
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
create index school_nudges_of_school on school_nudges (school_id, sent_at desc);

-- The figures of a season as they were counted last: counting a large one takes longer than a page may
create table season_figures (
  season text primary key,
  taken_at timestamptz not null,
  figures jsonb not null
);

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

-- Texts of mails that the office has written itself; what is not here is the program's own
create table mail_texts (
  kind text not null,
  language text not null,
  subject text not null,
  body text not null,
  changed_by bigint not null references staff (id),
  changed_at timestamptz not null,
  version int not null default 1,
  primary key (kind, language)
);
create index outbox_failed on outbox (id) where failed_at is not null;
create index jobs_in_time on jobs (created_at, id);
