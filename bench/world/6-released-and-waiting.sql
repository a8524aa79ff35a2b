-- The results are released; certificates, anomalies that were resolved, holds.
update result_sets set state = 'released', approved_by = 1, approved_at = :now - interval '2 days', release_at = :now - interval '1 day',
  released_at = :now - interval '1 day' where state = 'computed';
insert into certificates (number, student_id, event_id, created_at)
select substr(upper(md5(student_id || ' ' || event_id)), 1, 12), student_id, event_id, :now from results where student_id % 50 = 0 and present;
insert into result_anomalies (set_id, row_no, exam_roll_no, kind, blocking, detail, resolved_at, resolved_by, resolution)
select set_id, row_no, coalesce(s.exam_roll_no, ''), 'zero_marks', false,
  '{"column": "", "value": "0", "note": "No marks at all.", "treatment": "kept"}', :now, 4, 'Looked at' from result_marks m join students s on s.id = m.student_id
where m.student_id % 400 = 0;
insert into result_holds (event_id, school_id, reason, held_by, held_at)
select t.event_id, s.id, 'The sheets are counted again', 4, :now from result_sets t, schools s where s.id % 500 = 3;

-- Pending work: a corrected version of one olympiad's results, a next-level list for another, a file of schools.
insert into result_sets (event_id, version, state, rows, rules, imported_by, imported_at, computed_by, computed_at, reason, based_on)
select t.event_id, 2, 'computed', t.rows, t.rules, 4, :now - interval '2 hours', 4, :now - interval '1 hour', 'Marks of a section were counted twice', t.id
from result_sets t join events e on e.id = t.event_id where e.season = :season and e.letter = 'K';
insert into results
select (jsonb_populate_record(r, jsonb_build_object('set_id', t.id, 'link_secret', gen_random_uuid()))).*
from result_sets t join results r on r.set_id = t.based_on where t.state = 'computed';
insert into result_figures
select set_id, class_id, count(*) filter (where present), count(*) filter (where not present), count(distinct school_id),
  count(*) filter (where medal = 'Gold'), count(*) filter (where medal = 'Silver'), count(*) filter (where medal = 'Bronze'),
  count(*) filter (where medal <> ''), count(*) filter (where prize <> ''), sum(prize_amount),
  count(*) filter (where award <> ''), count(*) filter (where next_level), coalesce(max(final_score), 0)
from results where set_id = (select id from result_sets where state = 'computed') group by set_id, class_id;
insert into next_level_rounds (event_id, season, level, set_id, answer_by, made_by, made_at, prepared_by, approved_by, approved_at)
select t.event_id, :season, 2, t.id, :now::date + 20, 4, :now - interval '12 hours', '{4}', 1, :now - interval '10 hours'
from result_sets t join events e on e.id = t.event_id where e.season = :season and e.letter = 'M' and t.state = 'released';
insert into next_level_invitations (event_id, student_id, school_id, class_id, found_by, wanted, decided_at, notice, notified_at, answer, answered_by, answered_at)
select i.event_id, i.student_id, i.school_id, i.class_id, s.name_key || ' ' || lower(i.exam_roll_no), true, n.made_at, 'invited', :now - interval '9 hours', i.answer,
  case when i.answer <> '' then i.school_id end, case when i.answer <> '' then :now - interval '1 hour' end
from next_level_rounds n join (
  select r.*, (array['', '', 'yes', 'no'])[1 + r.student_id % 4] as answer from results r where r.next_level) i on i.set_id = n.set_id join students s on s.id = i.student_id;
insert into school_imports (id, file_name, file_id, headings, fields, state, job_id, created_by, created_at)
select 'bigimport', 'schools.xlsx', (select min(id) from files), '[{"heading": "Name", "samples": ["Udaharan School"]}]', '["schName"]', 'checked', 'none', 2, :now;
insert into school_import_rows (import_id, row_no, state, cells, details, school_id)
select 'bigimport', i, (array['new', 'new', 'likely', 'known', 'faulty'])[1 + i % 5], jsonb_build_array('Udaharan School ' || i),
  jsonb_build_object('schName', 'Udaharan School ' || i, 'city', 'Kalpanagar', 'pinCode', '560001'),
  case when i % 5 in (2, 3) then 1 + i % :schools end
from generate_series(2, 3001) i;
