create table couriers (
  id bigint generated always as identity primary key,
  name text not null unique,
  -- Where the courier shows a parcel: https, with {no} in place of its number; empty where there is no such page
  link_template text not null default '',
  active boolean not null default true,
  version int not null default 1
);

-- A parcel to a school: books, question papers or awards, with its courier and its track.
create table packets (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  season text not null references seasons (label),
  -- 'books', 'papers', 'awards'
  contents text not null,
  customer_name text not null,
  address text not null,
  city text not null,
  state text not null,
  country text not null,
  pin_code text not null,
  phone text not null,
  courier_name text not null default '',
  consignment_no text not null default '',
  courier_link text not null default '',
  created_at timestamptz not null,
  version int not null default 1,
  -- The newest line of the track: 'Packed', 'Dispatched', 'In transit', 'Delivered', 'Returned', 'Cancelled'
  status text not null default 'Packed',
  courier_id bigint references couriers (id),
  weight_grams int check (weight_grams > 0),
  -- Its lines count as packed: not those of a parcel that was taken apart, nor of one whose contents went out again
  counts boolean not null default true,
  -- The returned parcel whose contents this one sends again
  resends_id bigint references packets (id),
  packed_by bigint references staff (id)
);
create index packets_of_school on packets (school_id, season, contents);
-- What came back goes out again once.
create unique index packets_resent_once on packets (resends_id) where resends_id is not null;
create unique index packets_by_consignment on packets (courier_id, consignment_no)
  where courier_id is not null and consignment_no <> '';
create index packets_of_season on packets (season, id desc);
create index packets_by_number on packets (consignment_no) where consignment_no <> '';
create index packets_number_begins on packets (upper(consignment_no) text_pattern_ops) where consignment_no <> '';

-- What a parcel holds; kind is one of the books, or 'paper'.
create table packet_lines (
  packet_id bigint not null references packets (id),
  event_id bigint not null references events (id),
  class_id int not null,
  kind text not null,
  quantity int not null check (quantity > 0),
  -- Counted by the school when it confirmed the receipt
  received int check (received >= 0),
  spare int not null default 0 check (spare >= 0 and spare <= quantity),
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

create table packet_track (
  id bigint generated always as identity primary key,
  packet_id bigint not null references packets (id),
  -- 'Packed', 'Dispatched', 'In transit', 'Delivered', 'Returned'
  status text not null,
  remarks text not null default '',
  at timestamptz not null,
  staff_id bigint references staff (id)
);
create index packet_track_of_packet on packet_track (packet_id, at);

-- For which child each medal, prize, award and certificate of a parcel is. Names stand in the results.
create table packet_awards (
  packet_id bigint not null references packets (id),
  event_id bigint not null references events (id),
  student_id bigint not null references students (id),
  -- 'gold', 'silver', 'bronze', 'prize', 'gift', 'award', 'certificate'
  kind text not null,
  class_id int not null,
  -- What distinguishes it from others of its kind: the title, the amount, the honours of a certificate; empty for medals
  award_key text not null,
  -- The version of the results by which it was packed
  version int not null,
  primary key (packet_id, event_id, student_id, kind)
);
create index packet_awards_of_student on packet_awards (student_id);

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
  -- How many of those wanted are spare papers
  spare int not null default 0,
  -- Packed once, and nobody's since the results were corrected
  extra int not null default 0,
  primary key (school_id, season, contents, event_id, class_id, kind)
);
create index dispatch_needs_due on dispatch_needs (season, contents, event_id) where due > 0;
create index dispatch_needs_by_class on dispatch_needs (season, contents, class_id, event_id);
create index dispatch_needs_extra on dispatch_needs (season, contents) where extra > 0;
-- What is packed and not wanted any more: a few lines, which sums of what is wanted have to leave out.
create index dispatch_needs_unwanted on dispatch_needs (season, contents) where wanted = 0;

-- The sums of dispatch_needs for each school.
create table dispatch_sums (
  school_id bigint not null references schools (id),
  season text not null references seasons (label),
  contents text not null,
  wanted int not null,
  packed int not null,
  due int not null,
  spare int not null default 0,
  extra int not null default 0,
  primary key (season, contents, school_id)
);

-- Schools whose needs have changed since they were counted. Rows are only added and taken away: nobody waits for them.
create table dispatch_stale (
  id bigint generated always as identity primary key,
  school_id bigint not null,
  season text not null
);

-- By which version of an event's results awards are counted: the one that schools see, taken over when its time has come.
create table dispatch_releases (
  event_id bigint primary key references events (id),
  season text not null references seasons (label),
  set_id bigint not null references result_sets (id)
);
create index dispatch_releases_of_season on dispatch_releases (season);

-- How many question papers more than children go to a school for each class. A season without a row of its own has
-- that of the season before.
create table dispatch_spares (
  season text primary key references seasons (label),
  percent int not null check (percent between 0 and 50),
  minimum int not null check (minimum between 0 and 20),
  version int not null default 1
);

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
