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
