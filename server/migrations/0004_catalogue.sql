-- A season (1 April to 31 March IST) with its own events, fees, dates and rules.
create table seasons (
  label text primary key,
  -- 'preparing', 'open', 'closed'
  state text not null,
  -- How the school's retained share is computed: {"kind":"perHead"} (default), {"kind":"percent","percent":15}, {"kind":"slabs",...}
  share_rule jsonb not null default '{"kind":"perHead"}',
  fee_due_on date not null,
  results_from date not null,
  created_at timestamptz not null,
  version int not null default 1
);

create table subjects (
  letter text primary key,
  name text not null unique,
  little_star boolean not null,
  position int not null
);

-- A subject in a season at an exam level. `eventYearId` in the calls.
create table events (
  id bigint generated always as identity primary key,
  season text not null references seasons (label),
  letter text not null references subjects (letter),
  level int not null default 1,
  -- 'Online' or 'Offline'
  mode text not null,
  -- Last day (IST) on which schools can enter, change or delete
  closes_on date not null,
  maximum_marks int not null,
  -- [{ "name": "Achievers section", "maximum": 10 }, ...]
  sections jsonb not null,
  -- Ranks, medals, prizes, awards, eligibility; see server/src/features/results/rules.ts
  rules jsonb not null,
  rules_version int not null default 1,
  version int not null default 1,
  unique (season, letter, level)
);

-- The dates an event offers; ordinal 1 and 2. `examDateId` in the calls.
create table exam_dates (
  id bigint generated always as identity primary key,
  event_id bigint not null references events (id),
  ordinal int not null,
  held_on date not null,
  unique (event_id, ordinal)
);

-- What a class pays for an event: registration fee, retained share, book prices (null: not offered), all in paise.
create table event_fees (
  event_id bigint not null references events (id),
  class_id int not null,
  fee int not null,
  retained int not null,
  cb int,
  pyqp int,
  genex int,
  tb int,
  wb int,
  -- Retained share of each ticked book
  book_retained int not null default 0,
  primary key (event_id, class_id)
);

-- Where schools pay to: one account for each kind of fee item.
create table bank_accounts (
  id bigint generated always as identity primary key,
  -- 'registration', 'books'
  purpose text not null,
  account_name text not null,
  bank_name text not null,
  account_no text not null,
  ifsc text not null,
  upi_id text not null,
  valid_from timestamptz not null,
  version int not null default 1
);
