-- Awards in parcels, spare question papers, sums that lists over all schools are read from, how online exams went.

-- By which version of an event's results awards are counted: the one that schools see, taken over when its time has come.
create table dispatch_releases (
  event_id bigint primary key references events (id),
  season text not null references seasons (label),
  set_id bigint not null references result_sets (id)
);
create index dispatch_releases_of_season on dispatch_releases (season);

-- For which child each medal, prize, award and certificate of a parcel is. Names stand in the results.
create table packet_awards (
  packet_id bigint not null references packets (id),
  event_id bigint not null references events (id),
  student_id bigint not null references students (id),
  -- 'gold', 'silver', 'bronze', 'prize', 'gift', 'award', 'certificate'
  kind text not null,
  class_id int not null,
  -- What makes it another one: the title, the amount, the honours of a certificate; empty for medals, which are all alike
  says text not null,
  -- The version of the results by which it was packed
  version int not null,
  primary key (packet_id, event_id, student_id, kind)
);
create index packet_awards_of_student on packet_awards (student_id);

-- How many question papers more than children go to a school for each class. A season without a row of its own has
-- that of the season before.
create table dispatch_spares (
  season text primary key references seasons (label),
  percent int not null check (percent between 0 and 50),
  minimum int not null check (minimum between 0 and 20),
  version int not null default 1
);

alter table packet_lines add column spare int not null default 0 check (spare >= 0 and spare <= quantity);
alter table dispatch_needs
  -- How many of those wanted are spare papers
  add column spare int not null default 0,
  -- Packed once, and nobody's since the results were corrected
  add column extra int not null default 0;
alter table dispatch_sums
  add column spare int not null default 0,
  add column extra int not null default 0;
create index dispatch_needs_by_class on dispatch_needs (season, contents, class_id, event_id);
create index dispatch_needs_extra on dispatch_needs (season, contents) where extra > 0;

-- The same sums for each school by one subject ('letter:M'), one class ('class:7'), one kind ('kind:cb').
create table dispatch_parts (
  school_id bigint not null references schools (id),
  season text not null references seasons (label),
  contents text not null,
  part text not null,
  wanted int not null,
  packed int not null,
  due int not null,
  spare int not null,
  extra int not null,
  primary key (season, contents, part, school_id)
);
create index dispatch_parts_of_school on dispatch_parts (school_id, season);

-- What is due by item over all schools, as a log of differences: whoever counts a school adds a line and waits for
-- nobody; the lines are folded together now and then. `_due` sums up the schools to which something of it is due alone.
create table dispatch_items (
  id bigint generated always as identity primary key,
  season text not null,
  contents text not null,
  event_id bigint not null,
  class_id int not null,
  kind text not null,
  schools int not null,
  wanted int not null,
  packed int not null,
  spare int not null,
  extra int not null,
  schools_due int not null,
  wanted_due int not null,
  packed_due int not null,
  spare_due int not null,
  due int not null
);
create index dispatch_items_of_season on dispatch_items (season, contents);

-- What lines that came and lines that went make of the sums by item.
create function dispatch_item_sums(fresh dispatch_needs[], gone dispatch_needs[]) returns table (
  season text, contents text, event_id bigint, class_id int, kind text, schools int, wanted int, packed int, spare int,
  extra int, schools_due int, wanted_due int, packed_due int, spare_due int, due int) language sql stable as $$
  select * from (
    select n.season, n.contents, n.event_id, n.class_id, n.kind,
      coalesce(sum(sign) filter (where n.wanted > 0), 0)::int as schools, sum(sign * n.wanted)::int as wanted,
      sum(sign * n.packed)::int as packed, sum(sign * n.spare)::int as spare, sum(sign * n.extra)::int as extra,
      coalesce(sum(sign) filter (where n.due > 0), 0)::int, coalesce(sum(sign * n.wanted) filter (where n.due > 0), 0)::int,
      coalesce(sum(sign * n.packed) filter (where n.due > 0), 0)::int,
      coalesce(sum(sign * n.spare) filter (where n.due > 0), 0)::int, sum(sign * n.due)::int as due
    from (select f.*, 1 as sign from unnest(fresh) f union all select g.*, -1 from unnest(gone) g) n
    group by n.season, n.contents, n.event_id, n.class_id, n.kind) d
  where (d.schools, d.wanted, d.packed, d.spare, d.extra, d.due) <> (0, 0, 0, 0, 0, 0)
$$;

insert into dispatch_parts (school_id, season, contents, part, wanted, packed, due, spare, extra)
select n.school_id, n.season, n.contents, part, sum(wanted), sum(packed), sum(due), 0, 0
from dispatch_needs n join events e on e.id = n.event_id
  cross join lateral (values ('letter:' || e.letter), ('class:' || n.class_id), ('kind:' || n.kind)) as parts (part)
group by n.school_id, n.season, n.contents, part;
insert into dispatch_items (season, contents, event_id, class_id, kind, schools, wanted, packed, spare, extra, schools_due,
  wanted_due, packed_due, spare_due, due)
select season, contents, event_id, class_id, kind, count(*) filter (where wanted > 0), sum(wanted), sum(packed), 0, 0,
  count(*) filter (where due > 0), coalesce(sum(wanted) filter (where due > 0), 0),
  coalesce(sum(packed) filter (where due > 0), 0), 0, sum(due)
from dispatch_needs group by season, contents, event_id, class_id, kind;

-- Whoever writes lines leaves the difference in the log, in the same transaction.
create function log_dispatch_items() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into dispatch_items (season, contents, event_id, class_id, kind, schools, wanted, packed, spare, extra, schools_due,
      wanted_due, packed_due, spare_due, due)
    select * from dispatch_item_sums(array(select row(f.*)::dispatch_needs from fresh f), '{}');
  elsif tg_op = 'DELETE' then
    insert into dispatch_items (season, contents, event_id, class_id, kind, schools, wanted, packed, spare, extra, schools_due,
      wanted_due, packed_due, spare_due, due)
    select * from dispatch_item_sums('{}', array(select row(g.*)::dispatch_needs from gone g));
  else
    insert into dispatch_items (season, contents, event_id, class_id, kind, schools, wanted, packed, spare, extra, schools_due,
      wanted_due, packed_due, spare_due, due)
    select * from dispatch_item_sums(array(select row(f.*)::dispatch_needs from fresh f), array(select row(g.*)::dispatch_needs from gone g));
  end if;
  return null;
end $$;
create trigger dispatch_items_of_new after insert on dispatch_needs referencing new table as fresh
  for each statement execute function log_dispatch_items();
create trigger dispatch_items_of_changed after update on dispatch_needs referencing new table as fresh old table as gone
  for each statement execute function log_dispatch_items();
create trigger dispatch_items_of_gone after delete on dispatch_needs referencing old table as gone
  for each statement execute function log_dispatch_items();

-- A school whose results are held, or not any more, is counted anew.
create function mark_dispatch_stale_hold() returns trigger language plpgsql as $$
declare hold result_holds := coalesce(new, old);
begin
  insert into dispatch_stale (school_id, season) select hold.school_id, season from events where id = hold.event_id;
  return null;
end $$;
create trigger dispatch_of_holds after insert or delete on result_holds for each row
  execute function mark_dispatch_stale_hold();

alter table exam_schedules
  -- When somebody has said how it went; null: the clock and the released result say it
  add column reported_at timestamptz;
update exam_schedules set reported_at = to_at where exam_status <> 'Not started';
