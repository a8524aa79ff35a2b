-- What a bulk entry sets off is done once for all its rows and not for each of them.

-- Children that are entered mark their school once for each season.
create function mark_ledgers_stale() returns trigger language plpgsql as $$
begin
  insert into ledger_stale (school_id, season) select distinct school_id, season from fresh;
  return null;
end $$;
drop trigger ledger_of_new_students on students;
create trigger ledger_of_new_students after insert on students referencing new table as fresh
  for each statement execute function mark_ledgers_stale();

-- Whoever began to write for a school before it was merged: looked at once for each statement. The checks of foreign keys,
-- which wait for the merge, are of the rows and come before it.
create function refuse_merged_schools() returns trigger language plpgsql as $$
declare
  merged bigint;
begin
  select id into merged from schools
  where merged_into is not null and id = any (array(select distinct school_id from fresh where school_id is not null));
  if found then
    raise exception 'school % was merged', merged using errcode = 'PD001';
  end if;
  return null;
end $$;
do $$
declare
  name text;
begin
  foreach name in array array['students', 'family_links', 'participations']
  loop
    execute format('drop trigger zz_school_not_merged on %I', name);
    execute format('create trigger zz_school_not_merged after insert on %I referencing new table as fresh
      for each statement execute function refuse_merged_schools()', name);
    execute format('create trigger zz_school_not_merged_later after update of school_id on %I for each row
      when (new.school_id is not null) execute function refuse_merged_school()', name);
  end loop;
end $$;
