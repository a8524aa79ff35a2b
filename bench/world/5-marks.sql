-- Marks of every paid student in every event, bell-shaped, one in fifty absent; the product computes the ranks.
insert into result_sets (event_id, version, state, rows, imported_by, imported_at)
select e.id, 1, 'computing', n.many, 4, :now - interval '3 days'
from events e join (
  select n.event_id, count(*) as many from enrolments n join students s on s.id = n.student_id and s.active and s.paid group by 1) n on n.event_id = e.id
where e.season = :season order by e.id;
create temp table maxima as
select t.id as set_id, t.event_id, (select array_agg((one->>'maximum')::int order by at)
  from jsonb_array_elements(e.sections) with ordinality y (one, at)) as maxima
from result_sets t join events e on e.id = t.event_id;
insert into result_marks (set_id, student_id, school_id, class_id, row_no, present, section_marks, raw_score, final_score)
select set_id, student_id, school_id, class_id, row_number() over (partition by set_id order by student_id), present,
  case when present then marks else '{}' end, total, total
from (
  select d.*, (select array_agg(10000 * greatest(0, least(maximum, round(maximum * d.skill + ((d.h >> (4 * at)::int) & 15) / 8.0 - 1)))::int order by at)
    from unnest(d.maxima) with ordinality x (maximum, at)) as marks
  from (
    select n.student_id, n.school_id, n.class_id, x.set_id, x.maxima, h,
      ((h & 65535) + (h >> 16 & 65535) + (h >> 32 & 65535)) / 196608.0::float8 as skill, h % 50 <> 0 as present
    from enrolments n join maxima x on x.event_id = n.event_id
      join students s on s.id = n.student_id and s.active and s.paid
      cross join lateral (select hashint8extended(n.student_id, n.event_id) as h) hashed) d) m
  cross join lateral (select case when present then coalesce((select sum(x) from unnest(marks) x), 0)::int else 0 end as total) t;
