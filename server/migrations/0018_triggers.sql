-- Whatever changes a sum marks the school, in its own transaction.
create function mark_ledger_stale() returns trigger language plpgsql as $$
begin
  insert into ledger_stale (school_id, season) values (new.school_id, new.season);
  if tg_op = 'UPDATE' and new.school_id is distinct from old.school_id then
    insert into ledger_stale (school_id, season) values (old.school_id, old.season);
  end if;
  return null;
end $$;
create trigger ledger_of_students
  after update of school_id, active, letters, reg_amount, reg_retained, book_amount, book_retained, book_count on students
  for each row
  when ((new.school_id, new.active, new.letters, new.reg_amount, new.reg_retained, new.book_amount, new.book_retained, new.book_count)
    is distinct from (old.school_id, old.active, old.letters, old.reg_amount, old.reg_retained, old.book_amount, old.book_retained, old.book_count))
  execute function mark_ledger_stale();
create trigger ledger_of_new_payments after insert on payments for each row execute function mark_ledger_stale();
create trigger ledger_of_payments after update of school_id, state, payable on payments for each row
  when ((new.school_id, new.state, new.payable) is distinct from (old.school_id, old.state, old.payable))
  execute function mark_ledger_stale();
create trigger ledger_of_library after insert or update of school_id, active, quantity, price, retained on library_lines
  for each row execute function mark_ledger_stale();
create trigger ledger_of_credits after insert or update of school_id, amount on school_credits
  for each row execute function mark_ledger_stale();

-- Children that are entered mark their school once for each season.
create function mark_ledgers_stale() returns trigger language plpgsql as $$
begin
  insert into ledger_stale (school_id, season) select distinct school_id, season from fresh;
  return null;
end $$;
create trigger ledger_of_new_students after insert on students referencing new table as fresh
  for each statement execute function mark_ledgers_stale();

-- What hangs on a child counts for the school where the child is now.
create function mark_ledger_of_child() returns trigger language plpgsql as $$
begin
  insert into ledger_stale (school_id, season) select school_id, season from students where id = new.student_id;
  return null;
end $$;
create trigger ledger_of_waivers after insert or update of state on waivers for each row execute function mark_ledger_of_child();
create trigger ledger_of_lines after update of live on payment_lines for each row
  when (new.live is distinct from old.live) execute function mark_ledger_of_child();

create function mark_ledger_of_move() returns trigger language plpgsql as $$
begin
  insert into ledger_stale (school_id, season) values (new.from_school, new.season), (new.to_school, new.season);
  if tg_op = 'UPDATE' then
    insert into ledger_stale (school_id, season) values (old.from_school, old.season), (old.to_school, old.season);
  end if;
  return null;
end $$;
create trigger ledger_of_moves after insert or update on student_moves for each row execute function mark_ledger_of_move();

-- Whatever writes verified money or a paid child's entry marks the school, in its own transaction.
create function mark_dispatch_stale() returns trigger language plpgsql as $$
begin
  insert into dispatch_stale (school_id, season) values (new.school_id, new.season);
  if new.school_id is distinct from old.school_id then
    insert into dispatch_stale (school_id, season) values (old.school_id, old.season);
  end if;
  return null;
end $$;
create trigger dispatch_of_payments after update of state on payments for each row
  when (new.state is distinct from old.state and 'verified' in (new.state, old.state))
  execute function mark_dispatch_stale();
create trigger dispatch_of_students after update of school_id, class_id, active, paid, letters, cb, pyqp, genex, tb, wb on students
  for each row
  when ((old.paid and (new.school_id, new.class_id, new.active, new.paid, new.letters, new.cb, new.pyqp, new.genex, new.tb, new.wb)
    is distinct from (old.school_id, old.class_id, old.active, old.paid, old.letters, old.cb, old.pyqp, old.genex, old.tb, old.wb))
    or (old.active and not new.active))
  execute function mark_dispatch_stale();
create trigger dispatch_of_library after update of active, paid, quantity on library_lines for each row
  when ((new.paid or old.paid) and (new.active, new.paid, new.quantity) is distinct from (old.active, old.paid, old.quantity))
  execute function mark_dispatch_stale();

create function mark_dispatch_stale_line() returns trigger language plpgsql as $$
begin
  insert into dispatch_stale (school_id, season) select school_id, season from payments where id = new.payment_id;
  return null;
end $$;
create trigger dispatch_of_lines after update of live on payment_lines for each row
  when (new.live is distinct from old.live and new.purpose = 'books')
  execute function mark_dispatch_stale_line();

-- A school whose results are held, or not any more, is counted anew.
create function mark_dispatch_stale_hold() returns trigger language plpgsql as $$
declare hold result_holds := coalesce(new, old);
begin
  insert into dispatch_stale (school_id, season) select hold.school_id, season from events where id = hold.event_id;
  return null;
end $$;
create trigger dispatch_of_holds after insert or delete on result_holds for each row
  execute function mark_dispatch_stale_hold();

-- What lines that came and lines that went make of the sums by item.
create function dispatch_item_sums(fresh dispatch_needs[], gone dispatch_needs[]) returns table (
  season text, contents text, event_id bigint, class_id int, kind text, schools int, wanted int, packed int, spare int,
  extra int, schools_due int, wanted_due int, packed_due int, spare_due int, due int) language sql stable as $$
  select * from (
    select n.season, n.contents, n.event_id, n.class_id, n.kind,
      coalesce(sum(sign) filter (where n.wanted > 0), 0)::int as schools, sum(sign * n.wanted)::int as wanted,
      sum(sign * n.packed)::int as packed, sum(sign * n.spare)::int as spare, sum(sign * n.extra)::int as extra,
      coalesce(sum(sign) filter (where n.due > 0), 0)::int, coalesce(sum(sign * n.wanted) filter (where n.due > 0), 0)::int,
      coalesce(sum(sign * n.packed) filter (where n.due > 0), 0)::int,
      coalesce(sum(sign * n.spare) filter (where n.due > 0), 0)::int, sum(sign * n.due)::int as due
    from (select f.*, 1 as sign from unnest(fresh) f union all select g.*, -1 from unnest(gone) g) n
    group by n.season, n.contents, n.event_id, n.class_id, n.kind) d
  where (d.schools, d.wanted, d.packed, d.spare, d.extra, d.due) <> (0, 0, 0, 0, 0, 0)
$$;

-- Whoever writes lines leaves the difference in the log, in the same transaction.
create function log_dispatch_items() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into dispatch_items (season, contents, event_id, class_id, kind, schools, wanted, packed, spare, extra, schools_due,
      wanted_due, packed_due, spare_due, due)
    select * from dispatch_item_sums(array(select row(f.*)::dispatch_needs from fresh f), '{}');
  elsif tg_op = 'DELETE' then
    insert into dispatch_items (season, contents, event_id, class_id, kind, schools, wanted, packed, spare, extra, schools_due,
      wanted_due, packed_due, spare_due, due)
    select * from dispatch_item_sums('{}', array(select row(g.*)::dispatch_needs from gone g));
  else
    insert into dispatch_items (season, contents, event_id, class_id, kind, schools, wanted, packed, spare, extra, schools_due,
      wanted_due, packed_due, spare_due, due)
    select * from dispatch_item_sums(array(select row(f.*)::dispatch_needs from fresh f), array(select row(g.*)::dispatch_needs from gone g));
  end if;
  return null;
end $$;
create trigger dispatch_items_of_new after insert on dispatch_needs referencing new table as fresh
  for each statement execute function log_dispatch_items();
create trigger dispatch_items_of_changed after update on dispatch_needs referencing new table as fresh old table as gone
  for each statement execute function log_dispatch_items();
create trigger dispatch_items_of_gone after delete on dispatch_needs referencing old table as gone
  for each statement execute function log_dispatch_items();

-- Whatever changes or deletes a result takes its list away in its own transaction, so that none can differ from the rows;
-- of a result that comes to another school, that school's too. Rows are added to a version only while it is computed,
-- after its old ones were deleted and long before it is seen.
create function drop_result_lists() returns trigger language plpgsql as $$
begin
  delete from result_lists l using (select distinct school_id, set_id from gone) g
  where l.school_id = g.school_id and l.set_id = g.set_id;
  return null;
end $$;
create trigger result_lists_of_gone after delete on results referencing old table as gone
  for each statement execute function drop_result_lists();

create function drop_both_result_lists() returns trigger language plpgsql as $$
begin
  delete from result_lists l using (select school_id, set_id from gone union select school_id, set_id from fresh) g
  where l.school_id = g.school_id and l.set_id = g.set_id;
  return null;
end $$;
create trigger result_lists_of_changed after update on results referencing old table as gone new table as fresh
  for each statement execute function drop_both_result_lists();

-- What a change of a result leaves uncounted. The lines of the classes are written in any case and before comparisons are
-- looked for: whoever counts or compares meanwhile has them locked, so that the mark comes behind the count.
create function note_uncounted(sets bigint[], classes int[]) returns void language plpgsql as $$
begin
  perform from result_figures f join unnest(sets, classes) t (set_id, class_id) using (set_id, class_id)
    order by f.set_id, f.class_id for update of f;
  update result_figures f set stale = true
    from unnest(sets, classes) t (set_id, class_id) where t.set_id = f.set_id and t.class_id = f.class_id;
  delete from result_differences where set_id = any(sets) or before_id = any(sets);
end $$;

create function note_changed_results() returns trigger language plpgsql as $$
begin
  perform note_uncounted(array_agg(set_id), array_agg(class_id)) from (
    with own as (
      select set_id, student_id, class_id, school_id, present, raw_score, final_score, class_rank, state_rank, zonal_rank,
        olympiad_rank, medal, prize, prize_amount, award, next_level from gone),
    other as (
      select set_id, student_id, class_id, school_id, present, raw_score, final_score, class_rank, state_rank, zonal_rank,
        olympiad_rank, medal, prize, prize_amount, award, next_level from fresh)
    select set_id, class_id from (table own except table other) a
    union select set_id, class_id from (table other except table own) b) t having count(*) > 0;
  return null;
end $$;
create trigger result_figures_of_changed after update on results referencing old table as gone new table as fresh
  for each statement execute function note_changed_results();

create function note_gone_results() returns trigger language plpgsql as $$
begin
  perform note_uncounted(array_agg(set_id), array_agg(class_id)) from (select distinct set_id, class_id from gone) t
    having count(*) > 0;
  return null;
end $$;
create trigger result_figures_of_gone after delete on results referencing old table as gone
  for each statement execute function note_gone_results();

-- A child is renamed one by one. Its first number comes with its payment, before it can have a result.
create function refresh_invitations() returns trigger language plpgsql as $$
begin
  update next_level_invitations i set found_by = new.name_key || ' ' || lower(coalesce(
    (select r.exam_roll_no from next_level_rounds d join results r on r.set_id = d.set_id
     where d.event_id = i.event_id and r.student_id = new.id), new.exam_roll_no, ''))
    where i.student_id = new.id;
  return null;
end $$;
create trigger invitations_of_students after update of name_key, exam_roll_no on students for each row
  when (new.name_key <> old.name_key or old.exam_roll_no is not null and new.exam_roll_no is distinct from old.exam_roll_no)
  execute function refresh_invitations();

-- Who began to write for a school before it was merged must not leave anything at it afterwards. After the check of the
-- foreign key, which waits for the merge: the names of triggers decide their order.
create function refuse_merged_school() returns trigger language plpgsql as $$
begin
  if exists (select from schools where id = new.school_id and merged_into is not null) then
    raise exception 'school % was merged', new.school_id using errcode = 'PD001';
  end if;
  return null;
end $$;

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
  foreach name in array array[
    'applications', 'contacts', 'consents', 'coordinator_offers', 'data_requests', 'import_mappings', 'library_lines', 'notice_reads', 'notices', 'packets',
    'payments', 'refunds', 'result_holds', 'school_credits', 'school_departures', 'school_invitations', 'school_links',
    'school_notes', 'school_reminders', 'acting_sessions', 'student_imports', 'teacher_questions', 'users', 'waivers']
  loop
    execute format('create trigger zz_school_not_merged after insert or update of school_id on %I for each row
      when (new.school_id is not null) execute function refuse_merged_school()', name);
  end loop;
end $$;

do $$
declare
  name text;
begin
  foreach name in array array['students', 'family_links', 'participations']
  loop
    execute format('create trigger zz_school_not_merged after insert on %I referencing new table as fresh
      for each statement execute function refuse_merged_schools()', name);
    execute format('create trigger zz_school_not_merged_later after update of school_id on %I for each row
      when (new.school_id is not null) execute function refuse_merged_school()', name);
  end loop;
end $$;
