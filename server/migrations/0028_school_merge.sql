-- Two entries of one school become one: what each said before, what moved, and how clashes were settled.
create table school_merges (
  id bigint generated always as identity primary key,
  from_school bigint not null unique references schools (id),
  to_school bigint not null references schools (id),
  -- The details of both as they were: { "stays": {...}, "leaves": {...} }
  before jsonb not null,
  -- Rows of each table that went over
  moved jsonb not null,
  -- Rows that could not go over as they were, by the kind of clash, with what they were before
  settled jsonb not null,
  merged_by bigint not null references staff (id),
  merged_at timestamptz not null,
  check (from_school <> to_school)
);
create index school_merges_to on school_merges (to_school);
create index schools_merged on schools (merged_into) where merged_into is not null;

-- A link that came with a school that was merged: it opens the one that stays, whose own link is the one shown.
alter table school_links add column came_from bigint references schools (id);
-- A cancelled child is credited once by each school that has paid, also when two of them have become one.
alter table school_credits add column first_school bigint references schools (id);
drop index school_credits_of_student;
create unique index school_credits_of_student on school_credits (student_id, coalesce(first_school, school_id))
  where student_id is not null;
-- A move between two schools that have become one: it stays on record and cancels itself out in the account.
alter table student_moves drop constraint student_moves_check;

-- Who began to write for a school before it was merged must not leave anything at it afterwards. After the check of the
-- foreign key, which waits for the merge: the names of triggers decide their order.
create function refuse_merged_school() returns trigger language plpgsql as $$
begin
  if exists (select from schools where id = new.school_id and merged_into is not null) then
    raise exception 'school % was merged', new.school_id using errcode = 'PD001';
  end if;
  return null;
end $$;
do $$
declare
  name text;
begin
  foreach name in array array[
    'applications', 'contacts', 'coordinator_offers', 'family_links', 'import_mappings', 'library_lines', 'notice_reads', 'notices', 'packets',
    'participations', 'payments', 'refunds', 'result_holds', 'school_credits', 'school_departures', 'school_invitations', 'school_links',
    'school_nudges', 'school_visits', 'student_imports', 'students', 'teacher_questions', 'users', 'waivers']
  loop
    execute format('create trigger zz_school_not_merged after insert or update of school_id on %I for each row
      when (new.school_id is not null) execute function refuse_merged_school()', name);
  end loop;
end $$;

-- A file of schools that the office has brought in: its rows are checked by a job, looked at, and made by another.
create table school_imports (
  id text primary key,
  file_name text not null,
  file_id text not null references files (id),
  -- The headings with the first rows below each, and which detail each column is ('' for none)
  headings jsonb not null,
  fields jsonb not null,
  -- 'checking', 'checked', 'importing', 'done'
  state text not null,
  job_id text not null,
  created_by bigint not null references staff (id),
  created_at timestamptz not null,
  imported_at timestamptz
);
create index school_imports_in_time on school_imports (created_at desc);
create table school_import_rows (
  import_id text not null references school_imports (id) on delete cascade,
  -- The row's number in the file
  row_no int not null,
  -- 'new', 'likely' (looks like a known one), 'known', 'faulty', 'created'
  state text not null,
  -- The cells as they stand there, the details read from them, and what is wrong: [{"field","message"}]
  cells jsonb not null,
  details jsonb not null,
  faults jsonb not null default '[]',
  -- The known school that it is or looks like, or the one made of it
  school_id bigint references schools (id),
  primary key (import_id, row_no)
);
create index school_import_rows_by_state on school_import_rows (import_id, state, row_no);
create index schools_by_affiliation on schools (affiliation_no) where affiliation_no <> '';
