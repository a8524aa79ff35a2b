-- The released results of a school in one version, in the words of the call that answers them: written at the first
-- reading, read a thousand times. A copy that can be made again at any time, so no backup holds it.
create table result_lists (
  school_id bigint not null,
  set_id bigint not null references result_sets (id) on delete cascade,
  -- The shape of the rows, so that another release of the program writes its own
  shape text not null,
  rows int not null,
  body text not null,
  primary key (school_id, set_id)
);
create index result_lists_of_set on result_lists (set_id);

-- Whatever changes or deletes a result takes its list away in its own transaction, so that none can differ from the rows;
-- of a result that comes to another school, that school's too. Rows are added to a version only while it is computed,
-- after its old ones were deleted and long before it is seen.
create function drop_result_lists() returns trigger language plpgsql as $$
begin
  delete from result_lists l using (select distinct school_id, set_id from gone) g
  where l.school_id = g.school_id and l.set_id = g.set_id;
  return null;
end $$;
create function drop_both_result_lists() returns trigger language plpgsql as $$
begin
  delete from result_lists l using (select school_id, set_id from gone union select school_id, set_id from fresh) g
  where l.school_id = g.school_id and l.set_id = g.set_id;
  return null;
end $$;
create trigger result_lists_of_changed after update on results referencing old table as gone new table as fresh
  for each statement execute function drop_both_result_lists();
create trigger result_lists_of_gone after delete on results referencing old table as gone
  for each statement execute function drop_result_lists();
