-- What was erased on request, by the numbers of the children's records alone: a backup from before holds the child and does
-- not know of it, so this list is in every later backup, and a restore carries it out again. Kept for good.
create table erasures (
  id bigint generated always as identity primary key,
  student_id bigint not null,
  -- Numbers are given again after a restore: the record is the one that was entered then. Null in lists of older versions.
  entered_at timestamptz,
  at timestamptz not null,
  request_id bigint not null,
  unique nulls not distinct (student_id, entered_at)
);

insert into erasures (student_id, entered_at, at, request_id)
select s.id, s.created_at, s.erased_at,
  coalesce((select max(r.id) from data_requests r where s.id = any(r.records) and r.kind = 'erase' and r.state = 'done'), 0)
from students s where s.erased_at is not null order by s.erased_at, s.id;
