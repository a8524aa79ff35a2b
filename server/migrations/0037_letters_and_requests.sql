-- Which column of a file of schools is what, for a set of headings: remembered from the last time that somebody said so.
create table school_layouts (
  headings text primary key,
  fields jsonb not null,
  updated_by bigint not null references staff (id),
  updated_at timestamptz not null
);
-- Its columns were taken from a file with the same headings
alter table school_imports add column remembered boolean not null default false;

-- What a family has said or asked does not stay at a school that was merged.
create trigger zz_school_not_merged after insert or update of school_id on consents for each row
  when (new.school_id is not null) execute function refuse_merged_school();
create trigger zz_school_not_merged after insert or update of school_id on data_requests for each row
  when (new.school_id is not null) execute function refuse_merged_school();

-- At which prices a student stood before an import changed it: an undo puts back these and no others.
alter table student_import_changes add column prices jsonb;

-- A parent may also ask, mostly through the school, that something be put right.
alter table data_requests drop constraint data_requests_kind_check;
alter table data_requests add constraint data_requests_kind_check check (kind in ('export', 'erase', 'correct'));
