-- The rows that an import left behind wait in an import of their own, which is corrected and confirmed like any other.
alter table student_imports add column rest_of text references student_imports (id) on delete cascade;
create unique index student_imports_rest on student_imports (rest_of) where rest_of is not null;
