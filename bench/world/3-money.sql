-- Payments for a hundred students each and one for books of every second school, with proofs, lines, receipts and the
-- bank's transfers for them; credits, refunds, waivers, library orders.
create temp table paid as
select row_number() over (order by z.school, kind, batch) as id, z.*, b.kind, b.batch, :now - (pg_temp.r(z.school * 10 + b.batch, b.kind) % 150) * interval '1 day' as sent
from sized z cross join lateral (
  select 'registration' as kind, batch from generate_series(0, (z.size - 1) / 100) batch
  union all select 'books', 0 where z.school % 2 = 0) b
where z.paying <> '';

insert into files (id, school_id, kind, name, media_type, bytes, sha256, created_by, created_at)
select 'proof' || id, school, 'payment-proof', 'slip.png', 'image/png', 40000, md5('proof' || id), school, sent from paid;
insert into payments (id, school_id, season, purpose, reference, gross, retained, payable, paid_on, utr, remarks, proof_file_id,
  proof_sha256, state, reason, receipt_no, submitted_by, submitted_at, decided_by, decided_at)
overriding system value
select p.id, p.school, :season, p.kind, 'PD' || right(:season, 2) || '-' || p.code || '-' || upper(left(p.kind, 1)) || (1 + p.batch), 0, 0, 0, p.sent::date,
  case when p.id % 6 > 0 then (600000000000 + p.id)::text else '' end, 'NEFT of ' || p.code, 'proof' || p.id,
  md5('proof' || p.id), p.paying, case p.paying when 'rejected' then 'The money has not arrived' else '' end,
  case p.paying when 'verified' then 'PD' || right(:season, 2) || '/' || lpad(p.id::text, 6, '0') end, p.school, p.sent,
  case when p.paying in ('verified', 'rejected') then 3 end,
  case when p.paying in ('verified', 'rejected') then least(p.sent + interval '1 day', :now) end
from paid p;
select setval(pg_get_serial_sequence('payments', 'id'), (select max(id) from payments));
insert into payment_lines (payment_id, student_id, purpose, gross, retained, live)
select p.id, s.id, p.kind, case p.kind when 'books' then s.book_amount else s.reg_amount end,
  case p.kind when 'books' then s.book_retained else s.reg_retained end, p.paying <> 'rejected'
from paid p join big_child c on c.school = p.school and (p.kind = 'books' or (c.j - 1) / 100 = p.batch)
  join students s on s.id = c.id and s.active and not s.waived and (p.kind = 'registration' or s.book_count > 0)
order by p.id;
update payments p set gross = t.gross, retained = t.retained, payable = t.gross - t.retained
from (select payment_id, sum(gross) as gross, sum(retained) as retained from payment_lines group by 1) t where t.payment_id = p.id;
insert into counters (name, value) select 'receipt:' || :season, count(*) from payments where state = 'verified';

insert into bank_statements (account_no, file_name, file_sha256, first_day, last_day, lines, fresh, amount, outgoing, imported_by, imported_at)
select '000011112222', 'statement-' || i || '.csv', md5('s' || i), :now::date - i, :now::date - i, 300, 300, 0, 3, 3, :now - i * interval '1 day'
from generate_series(1, 150) i;
insert into bank_lines (id, account_no, statement_id, row_no, day, amount, utr, narration, line_key, ordinal, state, guess,
  guess_school_id, to_payments, decided_by, decided_at)
overriding system value
select p.id, '000011112222', 1 + p.id % 150, p.id, p.paid_on, p.payable, p.utr, 'NEFT CR-' || upper(s.name) || '-' || p.reference,
  'k' || p.id, 1, 'booked', null, s.id, p.payable, 3, p.decided_at
from payments p join schools s on s.id = p.school_id where p.state = 'verified' and p.payable > 0 and p.id % 20 > 0;
insert into bank_line_payments (line_id, payment_id, amount, at)
select id, id, amount, decided_at from bank_lines;
insert into bank_lines (id, account_no, statement_id, row_no, day, amount, utr, narration, line_key, ordinal, guess, guess_school_id)
overriding system value
select 10000000 + i, '000011112222', 1 + i % 150, i, :now::date - i % 30, 100000 + i, '', 'IMPS/' || i || '/SCHOOL FEES', 'o' || i, 1,
  (array['exact', 'likely', 'unknown', 'already'])[1 + i % 4], case when i % 4 <> 2 then 1 + i % :schools end
from generate_series(1, :schools / 10) i;
insert into bank_lines (id, account_no, statement_id, row_no, day, amount, utr, narration, line_key, ordinal, state, discarded, reason,
  decided_by, decided_at)
overriding system value
select 20000000 + i, '000011112222', 1 + i % 150, i, :now::date - i % 150, 5000 + i, '', 'INTEREST ' || i, 'd' || i, 1, 'discarded',
  5000 + i, 'Interest of the bank', 3, :now - (i % 150) * interval '1 day'
from generate_series(1, :schools / 20) i;
select setval(pg_get_serial_sequence('bank_lines', 'id'), 30000000);
insert into school_credits (school_id, season, kind, amount, note, created_by, created_at)
select 1 + i * 13 % :schools, :season, 'received', 50000 + i, 'Too much', 3, :now - (i % 100) * interval '1 day' from generate_series(1, :schools / 10) i;
insert into refunds (school_id, season, amount, pay_to, reason, state, proposed_by, proposed_at, decided_by, decided_at, settled_at)
select 1 + i * 17 % :schools, :season, 10000, 'UPI school@namuna', 'Twice', case i % 3 when 0 then 'proposed' when 1 then 'approved' else 'paid' end, 3,
  :now - interval '3 days', case when i % 3 > 0 then 1 end, case when i % 3 > 0 then :now end,
  case when i % 3 = 2 then :now end
from generate_series(1, :schools / 50) i;
insert into files (id, school_id, kind, name, media_type, bytes, sha256, created_at)
values ('evidence', null, 'waiver-evidence', 'letter.pdf', 'application/pdf', 9000, md5('evidence'), :began);
insert into waivers (student_id, school_id, season, gross, retained, reason, evidence_file_id, state, asked_by_user, asked_at, decided_by, decided_at)
select s.id, s.school_id, s.season, s.reg_amount, s.reg_retained, 'Hardship', 'evidence',
  case when s.waived then 'approved' else 'asked' end, s.school_id, :now - interval '20 days',
  case when s.waived then 2 end, case when s.waived then :now - interval '10 days' end
from students s where s.waived or (s.id % 2000 = 9 and s.active and not s.paid);
insert into library_lines (school_id, season, event_id, class_id, kind, quantity, price, retained, paid, payment_id, created_by, created_at, updated_at)
select s.id, :season, e.id, 1 + s.id % 12, 'cb', 2, 22000, 2000, false, null, s.id, :began, :began
from schools s join events e on e.season = :season and e.letter = 'M' where s.id % 10 = 0;
insert into counters (name, value)
select 'exam-roll:' || :season || ':' || school || ':' || class_id, 1 + max(place) from big_child group by school, class_id;
