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
