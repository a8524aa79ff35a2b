-- The office's work: parcels, online hours, questions, notices, mails, jobs, and the audit log, which has a line for
-- each student, payment and parcel and one for every second sign-in.
insert into couriers (name, link_template) values ('Namuna Express', 'https://courier.example/track?no={no}'), ('Udaharan Parcel Service', '');
create temp table sent as
select row_number() over (order by z.school, contents) as id, z.school, contents, 1 + pg_temp.r(z.school, contents) % 5 as step
from sized z, unnest(array['books', 'papers']) contents
where z.paying = 'verified' and z.school % 10 < 6 and (contents = 'papers' or z.school % 2 = 0);
insert into packets (id, school_id, season, contents, customer_name, address, city, state, country, pin_code, phone, courier_id,
  courier_name, consignment_no, created_at, status, packed_by)
overriding system value
select t.id, s.id, :season, t.contents, s.name, s.address, s.city, s.state, s.country, s.pin_code, s.phone,
  case when t.step > 1 then 1 end, case when t.step > 1 then 'Namuna Express' else '' end,
  case when t.step > 1 then 'NX' || lpad(t.id::text, 9, '0') else '' end, :now - (pg_temp.r(t.id, 'packed') % 60) * interval '1 day',
  (array['Packed', 'Dispatched', 'In transit', 'Delivered', 'Returned'])[t.step], 2
from sent t join schools s on s.id = t.school;
select setval(pg_get_serial_sequence('packets', 'id'), (select max(id) from packets));
insert into packet_track (packet_id, status, at, staff_id)
select t.id, (array['Packed', 'Dispatched', 'In transit', 'Delivered', 'Returned'])[k], :now - (6 - k) * interval '1 day', 2
from sent t cross join lateral generate_series(1, t.step) k order by t.id, k;
insert into packet_lines (packet_id, event_id, class_id, kind, quantity)
select t.id, b.event_id, b.class_id, b.kind, count(*) from sent t join book_choices b on b.school_id = t.school where t.contents = 'books'
group by 1, 2, 3, 4;
insert into packet_lines (packet_id, event_id, class_id, kind, quantity)
select t.id, n.event_id, n.class_id, 'paper', count(*)
from sent t join enrolments n on n.school_id = t.school join events e on e.id = n.event_id and e.mode = 'Offline' where t.contents = 'papers'
group by 1, 2, 3;
insert into packet_receipts (packet_id, user_id, differs, confirmed_at)
select id, school, id % 50 = 0, :now from sent where step = 4 and id % 2 = 0;
insert into dispatch_stale (school_id, season) select school, :season from sized where paying = 'verified' order by school;

insert into exam_slots (event_id, from_at, to_at, places)
select e.id, :now + i * interval '1 day', :now + i * interval '1 day' + interval '1 hour', 20000
from events e, generate_series(10, 19) i where e.season = :season and e.mode = 'Online';
insert into exam_schedules (student_id, event_id, from_at, to_at, slot_id, notified_at)
select n.student_id, n.event_id, t.from_at, t.to_at, t.id, case when n.student_id % 3 > 0 then :now end
from enrolments n join students s on s.id = n.student_id and s.paid
  join exam_slots t on t.event_id = n.event_id and extract(day from t.from_at - :now)::int - 10 = n.student_id % 12;
insert into teacher_questions (school_id, season, user_id, letter, class_id, chapter, question, options, answer, state, created_at)
select 1 + i % :schools, :season, 1 + i % :schools, (array['M', 'S', 'E'])[1 + i % 3], 1 + i % 12, 'Chapter ' || i % 9,
  'What is ' || i || ' and ' || i || '?', '["1", "2", "3", "4"]', 1 + i % 4, (array['sent', 'sent', 'accepted', 'declined'])[1 + i % 4],
  :now - (i % 90) * interval '1 day'
from generate_series(1, :schools / 2) i;
insert into notices (title, body, audience, shows_from, shows_until, created_by, created_at, changed_by, changed_at)
select 'Notice ' || i, 'What schools should know.', 'all', :now::date - 10 * i, :now::date - 10 * i + 14, 2, :now, 2, :now
from generate_series(0, 60) i;
insert into acting_sessions (school_id, staff_id, user_id, reason, started_at, until, ended_at)
select 1 + i % :schools, 2, 1 + i % :schools, 'They asked by phone', :now - i * interval '1 hour', :now - i * interval '1 hour' + interval '30 minutes', :now
from generate_series(1, 2000) i;
insert into jobs (id, kind, school_id, season, state, done, total, created_at, started_at, ended_at)
select 'big' || i, (array['payment-receipt', 'results.compute', 'student-import', 'paper'])[1 + i % 4], 1 + i % :schools, :season,
  case when i % 50 = 0 then 'failed' else 'done' end, 1, 1, :now - i * interval '2 minutes', :now - i * interval '2 minutes', :now
from generate_series(1, :schools / 2) i;
insert into outbox (key, kind, payload, created_at, due_at, attempts, done_at, failed_at, error)
select 'big' || i, (array['payment-verified', 'payment-received', 'results-released', 'exam-schedule', 'family', 'otp'])[1 + i % 6],
  case when i % 200 = 0 then jsonb_build_object('to', jsonb_build_object('name', 'T', 'address', 'teacher' || i % 30000 || '@bg.example'), 'subject', 'Payment') else '{}' end,
  :now - i * interval '5 minutes', :now - i * interval '5 minutes', 1, case when i % 200 > 0 then :now end,
  case when i % 200 = 0 then :now end, case when i % 200 = 0 then 'no such host' end
from generate_series(1, :schools * 50) i;

insert into audit (at, actor_kind, actor_id, actor_name, school_id, season, action, subject_kind, subject_id, change)
select at, actor_kind, actor_id, actor_name, school_id, :season, action, subject_kind, subject_id, change from (
  -- A school imports class by class, each at a moment of its own.
  select min(s.created_at) over (partition by s.school_id, s.class_id) + s.school_id * interval '1 millisecond' as at, 'account' as actor_kind, s.school_id as actor_id, 'Teacher ' || s.school_id as actor_name, s.school_id,
    'student.imported' as action, 'student' as subject_kind, s.id::text as subject_id, jsonb_build_object('import', 'big-' || s.school_id,
      'to', jsonb_build_object('classId', s.class_id, 'section', s.section, 'rollNo', s.roll_no, 'name', s.name,
        'parentMobile', s.parent_mobile, 'subjects', s.letters, 'regAmount', s.reg_amount)) as change from students s
  union all select s.updated_at, 'account', s.school_id, 'Teacher ' || s.school_id, s.school_id, 'student.changed', 'student', s.id::text,
    '{"from": {"section": "B"}, "to": {"section": "A"}}' from students s where s.id % 8 = 0
  union all select p.submitted_at, 'account', p.school_id, 'Teacher ' || p.school_id, p.school_id, 'payment.submitted', 'payment', p.id::text,
    jsonb_build_object('payable', p.payable) from payments p
  union all select p.decided_at, 'office', 3, 'Officer 3', p.school_id, 'payment.' || p.state, 'payment', p.id::text,
    jsonb_build_object('receiptNo', p.receipt_no) from payments p where p.decided_at is not null
  union all select k.created_at, 'office', 2, 'Officer 2', k.school_id, 'packet.packed', 'packet', k.id::text, '{}' from packets k
  union all select u.last_sign_in_at, 'account', u.id, u.name, u.school_id, 'account.signed_in', 'user', u.id::text, '{}' from users u where u.last_sign_in_at is not null
  union all select :now - i * interval '20 minutes', 'office', 1 + i % 40, 'Officer ' || 1 + i % 40, null, 'student.contact_read', 'student', (i * 31)::text, '{}' from generate_series(1, :schools / 2) i
) lines order by at;
