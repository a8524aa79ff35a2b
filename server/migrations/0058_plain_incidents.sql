-- A breach is a register entry with notes, those affected, and one mail. What the columns and tables before it held is
-- kept where the new ones show it: began_at, consequences, safety, contact, conclusion, incident_reports and
-- incident_picks as notes, words as the mail. They themselves stay until a released version has left them alone.

create table incident_notes (
  id bigint generated always as identity primary key,
  incident_id bigint not null references incidents (id),
  text text not null,
  staff_id bigint not null references staff (id),
  at timestamptz not null
);
create index incident_notes_of on incident_notes (incident_id, at, id);

-- {"en": {"subject", "text"}, "hi": {...}}, null until it is written; from the first sending on it stays as it is
alter table incidents add column mail jsonb, add column sent_by bigint references staff (id), add column sent_at timestamptz;

insert into incident_notes (incident_id, text, staff_id, at)
select i.id, l.label || l.said, i.opened_by, i.opened_at
from incidents i cross join lateral (values
  (1, 'Began: ', to_char(i.began_at at time zone 'Asia/Kolkata', 'DD-Mon-YYYY HH12:MI AM')),
  (2, 'Likely consequences: ', i.consequences),
  (3, 'Safety steps for those affected: ', i.safety),
  (4, 'Contact: ', i.contact),
  (5, '', case when i.drill then 'A drill: nothing has happened.' end)) l (place, label, said)
where l.said <> '' order by i.id, l.place;

insert into incident_notes (incident_id, text, staff_id, at)
select r.incident_id, case r.clock when 'cert' then 'CERT-In' else 'Data Protection Board' end
  || case r.outcome when 'made' then ', reported: ' else ', no report needed: ' end || r.note, r.staff_id, r.at
from incident_reports r order by r.incident_id, r.at;

insert into incident_notes (incident_id, text, staff_id, at)
select k.incident_id, 'Those affected, ' || k.children || ' children and ' || k.people || ' people of schools, found by: ' || k.how || ' ' || k.what, k.staff_id, k.at
from incident_picks k order by k.id;

insert into incident_notes (incident_id, text, staff_id, at)
select id, conclusion, closed_by, closed_at from incidents where conclusion <> '' and closed_by is not null order by id;

-- The words as they stood when the first mail left, or as they stand now
update incidents i set mail = (
  select jsonb_object_agg(l.language, jsonb_build_object('subject', l.subject, 'text', concat_ws(E'\n\n',
    l.said ->> 'what', l.said ->> 'consequences', l.said ->> 'measures', l.said ->> 'safety', l.said ->> 'contact')))
  from (select coalesce((
      select a.change -> 'to' from audit a
      where a.subject_kind = 'incident' and a.subject_id = i.id::text and a.action = 'incident.worded'
        and a.at <= (select min(p.told_at) from incident_people p where p.incident_id = i.id and p.told_by_way = 'mail')
      order by a.id desc limit 1), i.words) as words) w
    cross join lateral (values
      ('en', 'About personal data with us', w.words -> 'en'),
      ('hi', 'हमारे पास रखे व्यक्तिगत डेटा के बारे में', w.words -> 'hi')) l (language, subject, said))
where i.words ? 'en' and i.words ? 'hi';

update incidents i set sent_by = i.send_approved_by, sent_at = i.send_approved_at
where exists (select from incident_people p where p.incident_id = i.id and p.told_by_way = 'mail');
