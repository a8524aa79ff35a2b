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
  version int not null default 1
);
create index packets_of_school on packets (school_id, season, contents);

create table packet_track (
  id bigint generated always as identity primary key,
  packet_id bigint not null references packets (id),
  -- 'Packed', 'Dispatched', 'In transit', 'Delivered', 'Returned'
  status text not null,
  remarks text not null default '',
  at timestamptz not null
);
create index packet_track_of_packet on packet_track (packet_id, at);

-- When a child takes an online olympiad, and how it went; one line for each entry.
create table exam_schedules (
  id bigint generated always as identity primary key,
  student_id bigint not null references students (id),
  event_id bigint not null references events (id),
  from_at timestamptz not null,
  to_at timestamptz not null check (to_at > from_at),
  -- 'Not started', 'In progress', 'Completed', 'Missed'
  exam_status text not null default 'Not started',
  -- 'Scheduled', 'Rescheduled', 'Cancelled'
  schedule_status text not null default 'Scheduled',
  unique (student_id, event_id)
);
