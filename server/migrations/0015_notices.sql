-- What the foundation tells schools on their dashboard: plain text, in English and, as a pair, in Hindi.
create table notices (
  id bigint generated always as identity primary key,
  title text not null,
  body text not null,
  title_hi text not null default '',
  body_hi text not null default '',
  important boolean not null default false,
  -- 'all', 'state' (schools in India, by the names in states), 'school'
  audience text not null check (audience in ('all', 'state', 'school')),
  states jsonb not null default '[]',
  school_id bigint references schools (id),
  -- First and last day (IST) on which it is shown
  shows_from date not null,
  shows_until date not null,
  -- Set when the office ended it before its last day
  ended_at timestamptz,
  created_by bigint not null references staff (id),
  created_at timestamptz not null,
  changed_by bigint not null references staff (id),
  changed_at timestamptz not null,
  -- Counts up when the words or the importance change: who had read it then has not read it now
  revision int not null default 1,
  version int not null default 1,
  check (shows_until >= shows_from),
  check ((audience = 'school') = (school_id is not null))
);
create index notices_by_day on notices (shows_until, shows_from);
create index notices_of_school on notices (school_id) where school_id is not null;

-- Who at a school has read which revision of a notice, and when.
create table notice_reads (
  notice_id bigint not null references notices (id),
  user_id bigint not null references users (id),
  school_id bigint not null references schools (id),
  revision int not null,
  read_at timestamptz not null,
  primary key (notice_id, user_id)
);
