-- The unguessable link of a family and its access code; holds the children of one school that share a parent's mobile.
create table family_links (
  id text primary key,
  school_id bigint not null references schools (id),
  season text not null,
  parent_mobile text not null default '',
  access_code_hash text not null,
  -- The code encrypted with the key of the installation, so that the school can print it on the family's letter
  access_code_sealed text not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  first_opened_at timestamptz,
  last_opened_at timestamptz
);
create index family_links_of_school on family_links (school_id, season);
create unique index family_links_by_mobile on family_links (school_id, season, parent_mobile) where parent_mobile <> '' and revoked_at is null;

-- A child that a school has entered for a season. The row is wide on purpose: lists read it a thousand times,
-- and the subjects, books and amounts below repeat what enrolments and book_choices hold, written with them.
create table students (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  season text not null references seasons (label),
  class_id int not null,
  section text not null,
  roll_no int not null,
  name text not null,
  -- Folded name: search and likely duplicates
  name_key text not null,
  parent_name text not null default '',
  parent_email text not null default '',
  parent_mobile text not null default '',
  active boolean not null default true,
  -- The registration fee is verified
  paid boolean not null default false,
  -- A payment that covers the student waits to be verified: nothing may change meanwhile
  locked boolean not null default false,
  -- Comma-joined subject names and letters, and the subjects of each book kind
  subject_names text not null default '',
  letters text not null default '',
  cb text not null default '',
  pyqp text not null default '',
  genex text not null default '',
  tb text not null default '',
  wb text not null default '',
  -- Paise
  reg_amount int not null default 0,
  reg_retained int not null default 0,
  book_amount int not null default 0,
  book_retained int not null default 0,
  book_count int not null default 0,
  -- Given when the student is paid: school code, class, serial
  exam_roll_no text,
  family_link_id text references family_links (id),
  import_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version int not null default 1
);
create unique index students_by_roll on students (school_id, season, class_id, section, roll_no) where active;
create index students_of_school on students (school_id, season, class_id, section, roll_no, id);
create unique index students_by_exam_roll on students (season, exam_roll_no) where exam_roll_no is not null;
create index students_of_family on students (family_link_id) where family_link_id is not null;
create index students_by_name on students (season, name_key text_pattern_ops);

-- A spreadsheet of students that a school has sent: read and checked, then imported once its good rows are confirmed.
-- Kept for 30 days.
create table student_imports (
  id text primary key,
  school_id bigint not null references schools (id),
  season text not null references seasons (label),
  file_name text not null,
  -- Of the file's content: the same file sent twice is recognised
  sha256 text not null,
  row_count int not null,
  good_count int not null,
  -- The good rows as they will be saved
  good_rows jsonb not null,
  -- The rest of the preview: faults, columns, likely duplicates, totals
  preview jsonb not null,
  job_id text,
  created_by bigint not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- Good rows dealt with, moved on in the transaction that saves them: a run that died goes on from here
  done int not null default 0,
  imported int not null default 0,
  refused jsonb not null default '[]'
);
create unique index student_imports_by_content on student_imports (school_id, season, sha256);
create index student_imports_by_time on student_imports (created_at);

-- One student in one event, with fee and retained share (paise) as they were when it was saved.
create table enrolments (
  student_id bigint not null references students (id),
  event_id bigint not null references events (id),
  school_id bigint not null,
  class_id int not null,
  fee int not null,
  retained int not null,
  created_at timestamptz not null,
  primary key (student_id, event_id)
);
create index enrolments_of_school on enrolments (school_id, event_id, class_id);
create index enrolments_of_event on enrolments (event_id, school_id);

-- One student, one subject, one kind of book, with price and retained share (paise) when it was saved.
create table book_choices (
  student_id bigint not null references students (id),
  event_id bigint not null references events (id),
  kind text not null,
  school_id bigint not null,
  class_id int not null,
  price int not null,
  retained int not null,
  created_at timestamptz not null,
  primary key (student_id, event_id, kind)
);
create index book_choices_of_school on book_choices (school_id, event_id, class_id);

-- One school in one event, with the exam date it chose. `eventManagementId` in the calls.
create table participations (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  event_id bigint not null references events (id),
  exam_date_id bigint references exam_dates (id),
  created_at timestamptz not null,
  version int not null default 1,
  unique (school_id, event_id)
);

-- Questions that teachers send in; the office reviews them.
create table teacher_questions (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  season text not null,
  user_id bigint not null references users (id),
  letter text not null references subjects (letter),
  class_id int not null,
  chapter text not null,
  question text not null,
  options jsonb not null,
  answer int not null,
  -- 'sent', 'accepted', 'declined'
  state text not null default 'sent',
  reason text not null default '',
  created_at timestamptz not null,
  version int not null default 1
);
create index teacher_questions_of_school on teacher_questions (school_id, season);
-- The same question of a school counts once; a declined one may be sent again.
create unique index teacher_questions_once on teacher_questions (school_id, season, letter, class_id, md5(lower(question)))
  where state <> 'declined';
