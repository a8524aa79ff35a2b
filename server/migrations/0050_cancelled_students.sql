-- Cancelled by the office: deleted for good, so that a school can't restore it.
alter table students add column cancelled boolean not null default false;
update students s set cancelled = true
where not s.active and exists (
  select from audit a where a.subject_kind = 'student' and a.subject_id = s.id::text and a.action = 'student.cancelled');
