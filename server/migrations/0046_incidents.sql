-- The register of breaches of personal data: what happened, by when whom it has to be reported, who is affected and told.

create table incidents (
  id bigint generated always as identity primary key,
  title text not null,
  -- Of title and what happened, folded, for the search
  search_key text not null,
  -- 'disclosed', 'changed', 'lost', 'unavailable'
  nature text not null check (nature in ('disclosed', 'changed', 'lost', 'unavailable')),
  -- Null where it is not known
  began_at timestamptz,
  -- From here the clocks run
  found_at timestamptz not null,
  -- For the register and the Board; what those affected read is worded apart
  happened text not null,
  extent text not null default '',
  consequences text not null default '',
  measures text not null default '',
  safety text not null default '',
  contact text not null default '',
  -- A drill: tried out, nothing has happened
  drill boolean not null default false,
  state text not null default 'open' check (state in ('open', 'closed')),
  conclusion text not null default '',
  closed_by bigint references staff (id),
  closed_at timestamptz,
  opened_by bigint not null references staff (id),
  opened_at timestamptz not null,
  -- What the mails say: {"en": {"what", "consequences", "measures", "safety", "contact"}, "hi": {...}}
  words jsonb not null default '{}',
  -- Who wants the mails to be sent, and who has approved it: two people
  send_asked_by bigint references staff (id),
  send_asked_at timestamptz,
  send_approved_by bigint references staff (id),
  send_approved_at timestamptz,
  job_id text references jobs (id) on delete set null,
  version int not null default 1,
  check (send_approved_by is null or send_approved_by <> send_asked_by)
);
create index incidents_in_time on incidents (found_at desc, id desc);

-- Reports that the law asks for within hours: that it was made, or why it needs not be
create table incident_reports (
  incident_id bigint not null references incidents (id),
  -- 'cert' (CERT-In, 6 hours), 'board' (Data Protection Board, 72 hours)
  clock text not null check (clock in ('cert', 'board')),
  -- 'made', 'needless'
  outcome text not null check (outcome in ('made', 'needless')),
  -- When it was made, or decided that it needs not be
  at timestamptz not null,
  -- Number or addressee of the report, or the reason
  note text not null,
  staff_id bigint not null references staff (id),
  noted_at timestamptz not null,
  primary key (incident_id, clock)
);

-- How those affected were found: by schools, by what somebody saw or changed, by a list
create table incident_picks (
  id bigint generated always as identity primary key,
  incident_id bigint not null references incidents (id),
  how text not null check (how in ('schools', 'actor', 'list')),
  -- What was asked for, without names of those found: {"codes": [...], "season": "2026-27"}
  what jsonb not null,
  children int not null,
  people int not null,
  staff_id bigint not null references staff (id),
  at timestamptz not null
);
create index incident_picks_of on incident_picks (incident_id, id);

-- Each child or person of a school who is affected, once for an incident, with when they were told
create table incident_people (
  id bigint generated always as identity primary key,
  incident_id bigint not null references incidents (id),
  student_id bigint references students (id) on delete cascade,
  user_id bigint references users (id),
  told_at timestamptz,
  -- 'mail', 'otherwise'
  told_by_way text not null default '',
  -- How, where not by mail
  told_note text not null default '',
  mail_key text not null default '',
  check ((student_id is null) <> (user_id is null))
);
create unique index incident_people_children on incident_people (incident_id, student_id) where student_id is not null;
create unique index incident_people_users on incident_people (incident_id, user_id) where user_id is not null;
create index incident_people_of_student on incident_people (student_id) where student_id is not null;
create index incident_people_untold on incident_people (incident_id, id) where told_at is null;

create table incident_picked (
  pick_id bigint not null references incident_picks (id) on delete cascade,
  person_id bigint not null references incident_people (id) on delete cascade,
  primary key (pick_id, person_id)
);
create index incident_picked_person on incident_picked (person_id);
