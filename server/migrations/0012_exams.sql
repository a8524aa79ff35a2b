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
  slot_id bigint references exam_slots (id),
  -- When the school was notified of these hours; null if it was not, or if they have changed since
  notified_at timestamptz,
  unique (student_id, event_id)
);
create index exam_schedules_of_slot on exam_schedules (slot_id) where slot_id is not null;
create index exam_schedules_of_event on exam_schedules (event_id);

-- Attendance as the school enters it after the exam, list by list: the entered students of a class in an event. Who is not
-- among the absences was present.
create table attendance_lists (
  participation_id bigint not null references participations (id) on delete cascade,
  class_id int not null,
  students int not null,
  absent int not null,
  saved_at timestamptz not null,
  version int not null default 1,
  primary key (participation_id, class_id)
);

create table attendance_absences (
  event_id bigint not null references events (id),
  student_id bigint not null references students (id) on delete cascade,
  primary key (event_id, student_id)
);
create index attendance_absences_of_student on attendance_absences (student_id);
