-- The student of last season that this one was carried over from: nobody is carried over twice. No foreign key: the old
-- row may go one day, and looking for its followers would then read the whole table.
alter table students add column carried_from bigint;
create unique index students_by_source on students (season, carried_from) where active and carried_from is not null;
create index students_of_import on students (import_id) where import_id is not null;

-- 'file', 'carry-over'
alter table student_imports add column source text not null default 'file' check (source in ('file', 'carry-over'));
-- When its students were last taken back
alter table student_imports add column undone_at timestamptz;
