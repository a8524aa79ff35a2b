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
  family_link_id text,
  import_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version int not null default 1,
  -- The student of last season that this one was carried over from: nobody is carried over twice. No foreign key: the old
  -- row may go one day, and looking for its followers would then read the whole table.
  carried_from bigint,
  -- The version that an import has written: another one was written by hand.
  import_version int,
  -- The registration fee of the child is waived: it counts as paid without money
  waived boolean not null default false,
  -- Sum of the late fees, as reg_amount is of the fees
  late_amount int not null default 0,
  -- When this child's data was erased: what is left of the row says nothing about it
  erased_at timestamptz,
  -- Cancelled by the office: deleted for good, so that a school can't restore it.
  cancelled boolean not null default false
);
create unique index students_by_roll on students (school_id, season, class_id, section, roll_no) where active;
create index students_of_school on students (school_id, season, class_id, section, roll_no, id);
create unique index students_by_exam_roll on students (season, exam_roll_no) where exam_roll_no is not null;
create index students_of_family on students (family_link_id) where family_link_id is not null;
create index students_by_name on students (season, name_key text_pattern_ops);
create unique index students_by_source on students (season, carried_from) where active and carried_from is not null;
create index students_of_import on students (import_id) where import_id is not null;
-- The office looks for a child among all schools: by the beginnings of words of the folded name in any order, by the
-- parent's mobile, by the school's roll no, and through a season in the order of names. No extension is needed.
create index students_by_words on students using gin (array_to_tsvector(string_to_array(name_key, ' ')));
create index students_by_parent on students (parent_mobile text_pattern_ops) where parent_mobile <> '';
create index students_by_roll_no on students (roll_no, season);
create index students_in_order on students (season, name_key, id);
-- What is rare is found without walking through all
create index students_deleted on students (season, name_key, id) where not active;
create index students_verifying on students (season, name_key, id) where locked;
create index students_of_class on students (season, class_id, name_key, id);
create index students_waived on students (season, name_key, id) where waived;
-- Which paid students of a season have chosen what: the hours of an online olympiad are counted for these.
create index students_entered on students (season, letters, school_id, id) where active and paid;

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
  refused jsonb not null default '[]',
  -- Where its rows come from
  source text not null default 'file' check (source in ('file', 'carry-over', 'grid')),
  -- When its students were last taken back
  undone_at timestamptz,
  -- The import desk: a file is checked again with other columns, corrected cells and decisions before it is imported, an
  -- import may change students who are there, and it stays in the history of the school.
  -- The rows of the file as they were read: [{n, c}]; taken away with the other content after 30 days
  sheet jsonb,
  -- What the person has set: columns, corrected cells, decisions about rows that may be the same child
  settings jsonb not null default '{}',
  revision int not null default 0,
  -- For the history, once the preview is gone: new, changed, same, kept, asked, left out, faulty
  counts jsonb not null default '{}',
  changed int not null default 0,
  -- The rows that an import left behind wait in an import of their own, which is corrected and confirmed like any other.
  rest_of text references student_imports (id) on delete cascade
);
create index student_imports_by_time on student_imports (created_at);
create unique index student_imports_by_content on student_imports (school_id, season, sha256)
  where source <> 'file' or confirmed_at is null;
create index student_imports_of_school on student_imports (school_id, season, created_at);
create unique index student_imports_rest on student_imports (rest_of) where rest_of is not null;

-- Students whom an import has changed, as they were before, so that it can be taken back.
create table student_import_changes (
  import_id text not null,
  student_id bigint not null references students (id) on delete cascade,
  -- Their fields before
  before jsonb not null,
  -- The version that the import has written
  version int not null,
  -- At which prices a student stood before an import changed it: an undo puts back these and no others.
  prices jsonb,
  primary key (import_id, student_id)
);
create index student_import_changes_of_student on student_import_changes (student_id);

-- What a school took the columns of a file for, for the next file with the same headings.
create table import_mappings (
  school_id bigint not null references schools (id),
  -- SHA-256 of the folded headings in alphabetical order
  headings text not null,
  -- [{heading, nth, field}]
  columns jsonb not null,
  used_at timestamptz not null,
  primary key (school_id, headings)
);

-- A child that changed its school within a season. What was paid for it stays with the school that has paid: `amount`
-- (paise) stands in both accounts, owed in one and credited in the other.
create table student_moves (
  id bigint generated always as identity primary key,
  student_id bigint not null references students (id),
  season text not null references seasons (label),
  from_school bigint not null references schools (id),
  to_school bigint not null references schools (id),
  amount bigint not null check (amount >= 0),
  reason text not null,
  moved_by bigint not null references staff (id),
  at timestamptz not null
);
create index student_moves_from on student_moves (from_school, season);
create index student_moves_to on student_moves (to_school, season);
create index student_moves_of on student_moves (student_id);

-- One student in one event, with fee and retained share (paise) as they were when it was saved.
create table enrolments (
  student_id bigint not null references students (id),
  event_id bigint not null references events (id),
  school_id bigint not null,
  class_id int not null,
  fee int not null,
  retained int not null,
  created_at timestamptz not null,
  -- The part of the fee that is a late fee, as it was when the entry was made. The school keeps nothing of it.
  late_fee int not null default 0,
  primary key (student_id, event_id),
  constraint enrolments_late_fee_check check (late_fee >= 0 and late_fee <= fee)
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
  -- Since when a school's list of an event is signed off: nobody of it is entered, changed or removed while this is set.
  -- Writers of enrolments hold the row (for share) and look at this column.
  signed_off_at timestamptz,
  unique (school_id, event_id)
);
create index participations_signed_off on participations (school_id, event_id) where signed_off_at is not null;
create index participations_of_date on participations (exam_date_id) where exam_date_id is not null;

-- Each time that a coordinator signed a list off, and who opened it again and why. Nothing of it is deleted.
create table sign_offs (
  id bigint generated always as identity primary key,
  participation_id bigint not null references participations (id),
  -- Active students of the list, as the coordinator typed it
  students int not null,
  -- What was still missing: kind of check and how many
  missing jsonb not null default '{}',
  signed_by bigint not null references users (id),
  signed_by_name text not null,
  signed_at timestamptz not null,
  reopened_by bigint references users (id),
  reopened_by_name text not null default '',
  reopened_at timestamptz,
  reason text not null default ''
);
create unique index sign_offs_in_force on sign_offs (participation_id) where reopened_at is null;
create index sign_offs_by_participation on sign_offs (participation_id, id desc);
