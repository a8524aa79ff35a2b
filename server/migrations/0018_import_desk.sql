-- The import desk: a file is checked again with other columns, corrected cells and decisions before it is imported, an
-- import may change students who are there, and it stays in the history of the school.
alter table student_imports
  -- The rows of the file as they were read: [{n, c}]; taken away with the other content after 30 days
  add column sheet jsonb,
  -- What the person has set: columns, corrected cells, decisions about rows that may be the same child
  add column settings jsonb not null default '{}',
  add column revision int not null default 0,
  -- For the history, once the preview is gone: new, changed, same, kept, asked, left out, faulty
  add column counts jsonb not null default '{}',
  add column changed int not null default 0;

-- An imported file stays as it is; sent again it is another import.
drop index student_imports_by_content;
create unique index student_imports_by_content on student_imports (school_id, season, sha256)
  where source <> 'file' or confirmed_at is null;
create index student_imports_of_school on student_imports (school_id, season, created_at);

-- The version that an import has written: another one was written by hand.
alter table students add column import_version int;
update students set import_version = 1 where import_id is not null;

-- Students whom an import has changed, as they were before, so that it can be taken back.
create table student_import_changes (
  import_id text not null,
  student_id bigint not null references students (id) on delete cascade,
  -- Their fields before
  before jsonb not null,
  -- The version that the import has written
  version int not null,
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
