-- Every version of an event's rules; the newest is the one in events.rules. Version 1 has a row once there is a second.
create table event_rules (
  event_id bigint not null references events (id),
  version int not null,
  rules jsonb not null,
  -- Why they were changed
  note text not null default '',
  -- Null for the rules with which the event began
  saved_by bigint references staff (id),
  saved_at timestamptz,
  primary key (event_id, version)
);

-- The lists that the office edits: what is used is never deleted, only switched off.
alter table designations add column active boolean not null default true;
alter table designations add column version int not null default 1;
alter table titles add column active boolean not null default true;
alter table titles add column version int not null default 1;
alter table states add column active boolean not null default true;
alter table states add column version int not null default 1;
alter table districts add column active boolean not null default true;
alter table districts add column version int not null default 1;

-- A zone is a named set of states; abroad is one, to which no state belongs. Schools carry its name.
create table zones (
  id int generated always as identity primary key,
  name text not null unique,
  position int not null,
  active boolean not null default true,
  version int not null default 1
);
insert into zones (name, position)
select zone, row_number() over (order by zone)::int from (select distinct zone from states) s;
insert into zones (name, position) select 'Abroad', count(*) + 1 from zones;

-- Days on which no exam should be held.
create table holidays (
  id int generated always as identity primary key,
  held_on date not null unique,
  name text not null,
  active boolean not null default true,
  version int not null default 1
);
