-- What each school owes, has paid and keeps in a season, kept for the list over all schools. Amounts in paise. Counted anew
-- from fees, payments, credits, waivers and moves for each school in ledger_stale before anything is read
-- (docs/algorithms/statement.md).
create table school_ledgers (
  season text not null references seasons (label),
  school_id bigint not null references schools (id),
  students int not null,
  gross bigint not null,
  retained bigint not null,
  -- Verified payments, and those that wait to be verified
  paid bigint not null,
  verifying bigint not null,
  waived bigint not null,
  -- Paid by other schools for children that came, less what was paid for those that left
  moved bigint not null,
  credit bigint not null,
  balance bigint not null generated always as (gross - retained - paid - waived - moved - credit) stored,
  primary key (season, school_id)
);

-- Schools whose sums have changed since they were counted. Rows are only added and taken away, so nobody waits for them,
-- and they have no key: a child that is entered pays for this row, too.
create table ledger_stale (
  school_id bigint not null,
  season text not null
);
insert into ledger_stale (school_id, season)
select school_id, season from students union select school_id, season from payments
union select school_id, season from library_lines union select school_id, season from school_credits;

-- Whatever changes a sum marks the school, in its own transaction.
create function mark_ledger_stale() returns trigger language plpgsql as $$
begin
  insert into ledger_stale (school_id, season) values (new.school_id, new.season);
  if tg_op = 'UPDATE' and new.school_id is distinct from old.school_id then
    insert into ledger_stale (school_id, season) values (old.school_id, old.season);
  end if;
  return null;
end $$;
create trigger ledger_of_new_students after insert on students for each row execute function mark_ledger_stale();
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
