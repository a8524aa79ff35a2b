-- Schools and their people. One in a hundred has 800 students, nine have 150, thirty have 60, the rest 20 to 25.
-- Everything depends on r(): an even number below 2^28 computed from an id and a word, the same in every run.
create function pg_temp.r(id bigint, word text) returns bigint language sql immutable as
  $$ select hashint8extended(id, hashtext(word)) & 268435455 $$;

insert into foundation (id, name, support_phone, support_email) values (1, 'Big Foundation', '', '');
insert into bank_accounts (purpose, account_name, bank_name, account_no, ifsc, upi_id, valid_from) values
  ('registration', 'Big Foundation Fees', 'Namuna Bank', '000011112222', 'SSBX0000001', 'fees@namuna', :began),
  ('books', 'Big Foundation Books', 'Namuna Bank', '000011113333', 'SSBX0000001', 'books@namuna', :began);
insert into staff (email, name, role, created_at)
select 'officer' || i || '@foundation.example', 'Officer ' || i,
  (array['owner', 'operations', 'accounts', 'results', 'viewer'])[1 + (i - 1) % 5], :began
from generate_series(1, 40) i;

create temp table place as
select row_number() over (order by s.id, d) - 1 as n, s.name as state, s.zone, s.name || ' District ' || d as district
from states s, generate_series(1, 20) d;

insert into schools (code, name, name_key, email, address, city, district, state, zone, country, pin_code, affiliation_no,
  udise_code, phone, whatsapp, active, inactive_reason, inactive_since, created_at)
select 'BG' || chr(65 + i % 26) || lpad(i::text, 5, '0'), initcap(named.name), named.name, 'office@bg' || i || '.example',
  i || ' Namuna Road', named.city, place.district, place.state, place.zone, 'India', (110000 + pg_temp.r(i, 'pin') % 700000)::text,
  case when i % 4 > 0 then 'CBSE ' || 1000000 + i else '' end, (29000000000 + i)::text, (7000000000 + i)::text,
  (7000000000 + i)::text, i % 25 > 0, case when i % 25 = 0 then 'Closed' else '' end,
  case when i % 25 = 0 then :now - interval '40 days' end, :now - (pg_temp.r(i, 'since') % 1200) * interval '1 day'
from generate_series(1, :schools) i
  join place on place.n = pg_temp.r(i, 'place') % (select count(*) from place)
  cross join lateral (select
    (array['vidya mandir', 'bal niketan', 'gyan jyoti', 'public school', 'sarvodaya', 'kendriya vidyalaya', 'st marys convent',
      'modern school', 'saraswati shishu mandir', 'little flower', 'holy cross', 'new era'])[1 + pg_temp.r(i, 'kind') % 12] || ' '
      || (array['ram', 'kalyan', 'sita', 'nav', 'chand', 'gopal', 'uday', 'bhim', 'hari', 'lal', 'shiv', 'prem', 'indra', 'suraj'])[1 + pg_temp.r(i, 'town') % 14]
      || (array['pur', 'nagar', 'gaon', 'garh', 'abad', 'ganj', 'khera', 'palli', 'giri', 'kota'])[1 + pg_temp.r(i, 'ending') % 10] as name,
    initcap((array['ram', 'kalyan', 'sita', 'nav', 'chand', 'gopal', 'uday', 'bhim', 'hari', 'lal', 'shiv', 'prem', 'indra', 'suraj'])[1 + pg_temp.r(i, 'town') % 14]
      || (array['pur', 'nagar', 'gaon', 'garh', 'abad', 'ganj', 'khera', 'palli', 'giri', 'kota'])[1 + pg_temp.r(i, 'ending') % 10]) as city) named
order by i;

insert into users (email, name, designation, school_id, coordinator, mobile, created_at, last_sign_in_at)
select 'teacher' || i || '@bg.example', 'Teacher ' || i, 'Teacher', 1 + (i - 1) % :schools, i <= :schools,
  (8000000000 + i)::text, :began, :now - (i % 60) * interval '1 day'
from generate_series(1, :schools * 9 / 5) i;
insert into school_links (id, school_id, access_code_hash, created_by, created_at)
select 'l' || substr(md5(i::text), 1, 21), i, md5(i::text), 1, :began from generate_series(1, :schools) i;
insert into contacts (school_id, season, designation_id, title_id, name, email, mobile, confirmed_at, created_at)
select 1 + (i - 1) % :schools, :season, (select min(id) from designations), (select min(id) from titles),
  'Contact ' || i, 'contact' || i || '@bg.example', (8100000000 + i)::text,
  case when i % 40 > 0 then :began end, :began
from generate_series(1, :schools * 2) i;

insert into users (email, name, designation, created_at)
select 'applicant' || i || '@bg.example', 'Applicant ' || i, 'Teacher', :began from generate_series(1, :schools / 20) i;
insert into applications (user_id, school_name, name_key, address, city, state, district, country, pin_code, phone,
  state_of_review, reason, school_id, submitted_at, decided_by, decided_at)
select u.id, initcap(s.name), s.name_key || ' ' || (u.id % 7), 'Road', s.city, s.state, s.district, 'India', s.pin_code, s.phone,
  decided.state, case decided.state when 'rejected' then 'Twice' else '' end,
  case decided.state when 'approved' then s.id end, :now - (u.id % 90) * interval '1 day',
  case when decided.state in ('approved', 'rejected') then 1 end,
  case when decided.state in ('approved', 'rejected') then :now end
from users u join schools s on s.id = 1 + u.id % :schools,
  lateral (select (array['submitted', 'approved', 'approved', 'rejected', 'approved', 'asked'])[1 + u.id % 6] as state) decided
where u.school_id is null;
insert into school_invitations (school_id, email, name, token_hash, invited_by_staff, invited_at, sent_at, expires_at)
select 1 + i % :schools, 'invited' || i || '@bg.example', 'Invited ' || i, md5('i' || i), 1, :now, :now, :now + interval '7 days'
from generate_series(1, :schools / 20) i;
insert into school_reminders (school_id, season, step, people, sent_by, sent_at)
select 1 + i % :schools, :season, 'pay', 2, 2, :now - (5 + i % 60) * interval '1 day' from generate_series(1, :schools / 4) i;
