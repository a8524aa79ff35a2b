-- Students with their entries, books and families: two subjects each on average, Mathematics for half of them. Of 100
-- schools 95 have paid, two more have a pending payment, one had it rejected, two have sent none.
create temp table sized as
select i as school, code, size, (sum(size) over (order by i) - size)::bigint as earlier,
  case when i * 7 % 100 < 95 then 'verified' when i * 7 % 100 < 97 then 'pending' when i * 7 % 100 < 98 then 'rejected' else '' end as paying
from (select id as i, code, case when id % 100 = 0 then 800 when id % 100 < 10 then 150 when id % 100 < 40 then 60
  else 20 + id % 6 end::bigint as size from schools) s;

create temp table choice as
select row_number() over () - 1 as n, letters, array_length(string_to_array(letters, ','), 1) as subjects
from unnest(array['M,S', 'M,S', 'M,S,E', 'M,S,E', 'M', 'M,S,G', 'S,E', 'E', 'M,E', 'S', 'M,K', 'G,T', 'H,R', 'V,F', 'E,G,T',
  'H', 'R,V', 'M,F,R', 'M,S', 'T']) as letters;
alter table choice add names text;
update choice c set names = (
  select string_agg(s.name, ', ' order by at) from unnest(string_to_array(c.letters, ',')) with ordinality l (letter, at)
    join subjects s on s.letter = l.letter);

create unlogged table big_child as
select c.*, choice.letters, choice.names, choice.subjects, z.paying,
  initcap(
    (array['aarav', 'aditi', 'akash', 'ananya', 'anil', 'arjun', 'bhavna', 'charu', 'deepa', 'dev', 'diya', 'esha', 'farah', 'gauri',
      'harsh', 'isha', 'ishaan', 'jai', 'kabir', 'kavya', 'kiran', 'lata', 'manav', 'meera', 'mohan', 'naina', 'neha', 'om', 'pooja',
      'rahul', 'ravi', 'riya', 'rohan', 'sana', 'sara', 'tara', 'uma', 'varun', 'veer', 'zoya'])[1 + floor(40 * power(c.one, 1.5))::int]
    || ' ' || case when c.two < 0.2
      then (array['kumar', 'lal', 'devi', 'prasad', 'nath', 'rani', 'chand', 'bai'])[1 + floor(c.two * 40)::int] || ' ' else '' end
    || case when c.three < 0.7
      then (array['sharma', 'verma', 'iyer', 'nair', 'khan', 'singh', 'das', 'roy', 'patel', 'shah', 'mehta', 'rao', 'gupta', 'joshi',
        'reddy', 'menon', 'bose', 'ghosh', 'pillai', 'naidu'])[1 + floor(20 * power(c.three / 0.7, 1.3))::int]
      else (array['ban', 'cha', 'dha', 'gan', 'jha', 'kul', 'man', 'pan', 'rat', 'sen', 'tri', 'vas'])[1 + c.id % 12]
        || (array['da', 'ka', 'li', 'mo', 'na', 'ri', 'su', 'ta', 'va', 'ya'])[1 + c.id / 12 % 10]
        || (array['kar', 'wal', 'ni', 'dhi', 'ppa', 'tkar', 'rkar', 'thi', 'mani', 'deo', 'gle', 'shi'])[1 + c.id / 120 % 12] end) as name
from (
  select z.earlier + j as id, z.school, j, 1 + (j - 1) % 12 as class_id, (j - 1) / 12 as place,
    pg_temp.r(z.earlier + j, 'one') / 268435456.0::float8 as one, pg_temp.r(z.earlier + j, 'two') / 268435456.0::float8 as two,
    pg_temp.r(z.earlier + j, 'three') / 268435456.0::float8 as three, pg_temp.r(z.earlier + j, 'more') as more,
    -- Every tenth is a sibling of the previous one, three in a hundred have no mobile
    case when (z.earlier + j) % 33 > 0 then (9000000000 + z.school * 1000 + j - case when j % 10 = 0 then 1 else 0 end)::text else '' end as mobile
  from sized z cross join lateral generate_series(1, z.size) j) c
  join sized z on z.school = c.school
  join choice on choice.n = c.more % 20;
create index on big_child (school, j);
analyze big_child;

insert into family_links (id, school_id, season, parent_mobile, access_code_hash, access_code_sealed, created_at, first_opened_at)
select distinct on (school, mobile) substr(md5(school || mobile), 1, 22), school, :season, mobile, md5(mobile), md5(mobile), :began,
  case when more % 3 = 0 then :now - interval '20 days' end
from big_child where mobile <> '' order by school, mobile;
insert into family_links (id, school_id, season, access_code_hash, access_code_sealed, created_at)
select substr(md5('child' || id), 1, 22), school, :season, '', '', :began from big_child where mobile = '';

insert into students (id, school_id, season, class_id, section, roll_no, name, name_key, parent_name, parent_email, parent_mobile,
  active, paid, locked, waived, subject_names, letters, cb, pyqp, reg_amount, reg_retained, book_amount, book_retained, book_count,
  exam_roll_no, family_link_id, created_at, updated_at)
overriding system value
select c.id, c.school, :season, c.class_id, chr(65 + (c.place / 40)::int), 1 + c.place % 40, c.name, lower(c.name), 'Parent of ' || c.name,
  case when c.more % 2 = 0 then 'parent' || c.id || '@family.example' else '' end, c.mobile, left_active.yes,
  left_active.yes and c.paying = 'verified', left_active.yes and c.paying = 'pending', left_active.yes and c.more % 900 = 3 and c.paying = 'verified',
  c.names, c.letters, case when c.more % 10 < 3 then split_part(c.letters, ',', 1) else '' end,
  case when c.more % 10 = 0 then split_part(c.letters, ',', 1) else '' end,
  c.subjects * 17500, c.subjects * 2500, case when c.more % 10 = 0 then 38000 when c.more % 10 < 3 then 22000 else 0 end,
  case when c.more % 10 = 0 then 4000 when c.more % 10 < 3 then 2000 else 0 end,
  case when c.more % 10 = 0 then 2 when c.more % 10 < 3 then 1 else 0 end,
  case when left_active.yes and c.paying = 'verified'
    then s.code || '-' || lpad(c.class_id::text, 2, '0') || '-' || lpad((1 + c.place)::text, 3, '0') end,
  substr(md5(case when c.mobile = '' then 'child' || c.id else c.school || c.mobile end), 1, 22),
  :now - (30 + c.more % 150) * interval '1 day', :now - (c.more % 30) * interval '1 day'
from big_child c join schools s on s.id = c.school,
  lateral (select c.more % 200 <> 7 as yes) left_active
order by c.id;
select setval(pg_get_serial_sequence('students', 'id'), (select max(id) from students));

insert into enrolments (student_id, event_id, school_id, class_id, fee, retained, created_at)
select c.id, e.id, c.school, c.class_id, 17500, 2500, :now - (30 + c.more % 150) * interval '1 day'
from big_child c cross join lateral unnest(string_to_array(c.letters, ',')) l (letter)
  join events e on e.season = :season and e.letter = l.letter and e.level = 1
order by c.id;
insert into book_choices (student_id, event_id, kind, school_id, class_id, price, retained, created_at)
select c.id, e.id, b.kind, c.school, c.class_id, b.price, 2000, :now - (30 + c.more % 150) * interval '1 day'
from big_child c join events e on e.season = :season and e.letter = split_part(c.letters, ',', 1) and e.level = 1
  join (values ('cb', 22000, 3), ('pyqp', 16000, 1)) b (kind, price, below) on c.more % 10 < b.below
order by c.id;
insert into participations (school_id, event_id, exam_date_id, created_at)
select p.school_id, p.event_id, case when p.school_id % 5 > 0 then (
    select min(d.id) from exam_dates d where d.event_id = p.event_id) end, :began
from (select distinct school_id, event_id from enrolments) p order by 1, 2;
insert into student_imports (id, school_id, season, file_name, sha256, row_count, good_count, good_rows, preview, created_by,
  created_at, confirmed_at, done, imported)
select 'big-' || z.school, z.school, :season, 'students.xlsx', md5(z.school::text), z.size, z.size, '[]', '{}', z.school, :began, :began,
  z.size, z.size
from sized z;
