-- What a child of a list of the next level is found by: its folded name, and its exam roll number in that version. Looking
-- both up for each child of a list read eight pages of the two largest tables for every one of them.
alter table next_level_invitations add column found_by text;
update next_level_invitations i set found_by = s.name_key || ' ' || lower(coalesce(r.exam_roll_no, s.exam_roll_no, ''))
  from next_level_rounds d cross join students s
    left join results r on r.set_id = d.set_id and r.student_id = s.id
  where d.event_id = i.event_id and s.id = i.student_id;
alter table next_level_invitations alter column found_by set not null;

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

-- Who goes on, child by child, without looking at the results themselves: to count them among those invited
drop index results_leading_on;
create index results_leading_on on results (set_id, student_id) where next_level;
