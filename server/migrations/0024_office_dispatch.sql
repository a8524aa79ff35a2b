-- The office's side of dispatch (what has to go out, parcels, couriers, receipts), of online schedules and of questions.

create table couriers (
  id bigint generated always as identity primary key,
  name text not null unique,
  -- Where the courier shows a parcel: https, with {no} in place of its number; empty where there is no such page
  link_template text not null default '',
  active boolean not null default true,
  version int not null default 1
);

alter table packets
  -- The newest line of the track: 'Packed', 'Dispatched', 'In transit', 'Delivered', 'Returned', 'Cancelled'
  add column status text not null default 'Packed',
  add column courier_id bigint references couriers (id),
  add column weight_grams int check (weight_grams > 0),
  -- Its lines count as packed: not those of a parcel that was taken apart, nor of one whose contents went out again
  add column counts boolean not null default true,
  -- The returned parcel whose contents this one sends again
  add column resends_id bigint references packets (id),
  add column packed_by bigint references staff (id);
update packets p set status = coalesce(
  (select t.status from packet_track t where t.packet_id = p.id order by t.at desc, t.id desc limit 1), 'Packed');
-- What came back goes out again once.
create unique index packets_resent_once on packets (resends_id) where resends_id is not null;
create unique index packets_by_consignment on packets (courier_id, consignment_no)
  where courier_id is not null and consignment_no <> '';
create index packets_of_season on packets (season, id desc);
create index packets_by_number on packets (consignment_no) where consignment_no <> '';
alter table packet_track add column staff_id bigint references staff (id);

-- What a parcel holds; kind is one of the books, or 'paper'.
create table packet_lines (
  packet_id bigint not null references packets (id),
  event_id bigint not null references events (id),
  class_id int not null,
  kind text not null,
  quantity int not null check (quantity > 0),
  -- Counted by the school when it confirmed the receipt
  received int check (received >= 0),
  primary key (packet_id, event_id, class_id, kind)
);

-- A school's word that a parcel has arrived, once for each parcel.
create table packet_receipts (
  packet_id bigint primary key references packets (id),
  user_id bigint not null references users (id),
  differs boolean not null,
  remark text not null default '',
  confirmed_at timestamptz not null
);

-- What a school must get in a season and what is packed of it, kept for lists over all schools: counted anew from
-- payments, choices, enrolments and parcels for each school in dispatch_stale before anything is read or packed.
create table dispatch_needs (
  school_id bigint not null references schools (id),
  season text not null references seasons (label),
  -- 'books', 'papers'
  contents text not null,
  event_id bigint not null references events (id),
  class_id int not null,
  kind text not null,
  wanted int not null,
  packed int not null,
  due int not null,
  primary key (school_id, season, contents, event_id, class_id, kind)
);
create index dispatch_needs_due on dispatch_needs (season, contents, event_id) where due > 0;
-- The sums of dispatch_needs for each school.
create table dispatch_sums (
  school_id bigint not null references schools (id),
  season text not null references seasons (label),
  contents text not null,
  wanted int not null,
  packed int not null,
  due int not null,
  primary key (season, contents, school_id)
);

-- Schools whose needs have changed since they were counted. Rows are only added and taken away: nobody waits for them.
create table dispatch_stale (
  id bigint generated always as identity primary key,
  school_id bigint not null,
  season text not null
);
insert into dispatch_stale (school_id, season) select distinct school_id, season from payments where state = 'verified';

-- Whatever writes verified money or a paid child's entry marks the school, in its own transaction.
create function mark_dispatch_stale() returns trigger language plpgsql as $$
begin
  insert into dispatch_stale (school_id, season) values (new.school_id, new.season);
  if new.school_id is distinct from old.school_id then
    insert into dispatch_stale (school_id, season) values (old.school_id, old.season);
  end if;
  return null;
end $$;
create trigger dispatch_of_payments after update of state on payments for each row
  when (new.state is distinct from old.state and 'verified' in (new.state, old.state))
  execute function mark_dispatch_stale();
create trigger dispatch_of_students after update of school_id, class_id, active, paid, letters, cb, pyqp, genex, tb, wb on students
  for each row
  when ((old.paid and (new.school_id, new.class_id, new.active, new.paid, new.letters, new.cb, new.pyqp, new.genex, new.tb, new.wb)
    is distinct from (old.school_id, old.class_id, old.active, old.paid, old.letters, old.cb, old.pyqp, old.genex, old.tb, old.wb))
    or (old.active and not new.active))
  execute function mark_dispatch_stale();
create trigger dispatch_of_library after update of active, paid, quantity on library_lines for each row
  when ((new.paid or old.paid) and (new.active, new.paid, new.quantity) is distinct from (old.active, old.paid, old.quantity))
  execute function mark_dispatch_stale();
create function mark_dispatch_stale_line() returns trigger language plpgsql as $$
begin
  insert into dispatch_stale (school_id, season) select school_id, season from payments where id = new.payment_id;
  return null;
end $$;
create trigger dispatch_of_lines after update of live on payment_lines for each row
  when (new.live is distinct from old.live and new.purpose = 'books')
  execute function mark_dispatch_stale_line();

-- When an online olympiad can be taken: its hours and how many children there is room for.
create table exam_slots (
  id bigint generated always as identity primary key,
  event_id bigint not null references events (id),
  from_at timestamptz not null,
  to_at timestamptz not null check (to_at > from_at),
  places int not null check (places > 0),
  version int not null default 1,
  unique (event_id, from_at, to_at)
);
alter table exam_schedules
  add column slot_id bigint references exam_slots (id),
  -- When the school was told of these hours; null where it was not, or they have changed since
  add column told_at timestamptz;
-- Hours that stand there already are known to their schools.
update exam_schedules set told_at = now();
create index exam_schedules_of_slot on exam_schedules (slot_id) where slot_id is not null;
create index exam_schedules_of_event on exam_schedules (event_id);

alter table teacher_questions
  add column reviewed_by bigint references staff (id),
  add column reviewed_at timestamptz;
create index teacher_questions_queue on teacher_questions (season, state, id);
