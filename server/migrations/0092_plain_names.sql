-- Gives a database that is older than the baseline of today its names of tables and columns; a new one has them. No
-- released version knows the old ones.
-- unused since 0.1.0: incidents.drill
alter table incidents drop column if exists drill;
alter index if exists incident_people_untold rename to incident_people_to_notify;
alter index if exists sessions_of_visit rename to sessions_of_acting_session;
do $$
declare
  renamed record;
  of_column text;
  part record;
begin
  for renamed in
    select * from (values ('school_nudges', 'school_reminders'), ('school_visits', 'acting_sessions')) as v (old, new)
    where to_regclass(old) is not null
  loop
    execute format('alter table %I rename to %I', renamed.old, renamed.new);
    for part in
      select conname as name from pg_constraint where conrelid = renamed.new::regclass and starts_with(conname, renamed.old)
    loop
      execute format('alter table %I rename constraint %I to %I', renamed.new, part.name,
        replace(part.name, renamed.old, renamed.new));
    end loop;
    for part in
      select relname as name, case relkind when 'S' then 'sequence' else 'index' end as kind from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('i', 'S') and starts_with(relname, renamed.old)
    loop
      execute format('alter %s %I rename to %I', part.kind, part.name, replace(part.name, renamed.old, renamed.new));
    end loop;
  end loop;
  for renamed in
    select * from (values
      ('exam_schedules', 'told_at', 'notified_at'),
      ('next_level_invitations', 'told', 'notice'),
      ('next_level_invitations', 'told_at', 'notified_at'),
      ('sessions', 'visit_id', 'acting_session_id'),
      ('packet_awards', 'says', 'award_key'),
      ('data_requests', 'words', 'message'),
      ('data_requests', 'reach', 'contact'),
      ('incident_people', 'told_at', 'notified_at'),
      ('incident_people', 'told_by_way', 'notified_via'),
      ('incident_people', 'told_note', 'notified_note')) as v (of_table, old, new)
      join pg_attribute a on a.attrelid = of_table::regclass and a.attname = old and not a.attisdropped
  loop
    execute format('alter table %I rename column %I to %I', renamed.of_table, renamed.old, renamed.new);
    -- What PostgreSQL has named after the column: its check, and from version 18 on its not null.
    for of_column in
      select substr(conname, length(renamed.of_table || renamed.old) + 2) from pg_constraint
      where conrelid = renamed.of_table::regclass and starts_with(conname, renamed.of_table || '_' || renamed.old || '_')
    loop
      execute format('alter table %I rename constraint %I to %I', renamed.of_table,
        renamed.of_table || '_' || renamed.old || of_column, renamed.of_table || '_' || renamed.new || of_column);
    end loop;
  end loop;
end $$;
-- What rows say of them.
update audit set action = case when action = 'schedule.told' then 'schedule.notified'
    else replace(replace(replace(action, 'incident.told', 'incident.notified'), 'nudge.', 'reminder.'), 'visit.', 'acting.') end,
  subject_kind = case subject_kind when 'nudge' then 'reminder' when 'visit' then 'acting' else subject_kind end,
  change = case when change ? 'told' then (change - 'told') || jsonb_build_object('notified', change -> 'told') else change end
  where action in ('incident.told', 'incident.told_otherwise', 'schedule.told', 'nudge.sent', 'nudge.exported',
    'visit.started', 'visit.ended');
update audit set subject_id = replace(subject_id, 'nudge-', 'reminder-')
  where subject_kind = 'mail_text' and subject_id like 'nudge-%';
update outbox set kind = 'reminder' where kind = 'nudge';
update mail_texts set kind = replace(kind, 'nudge-', 'reminder-') where kind like 'nudge-%';
update jobs set input = jsonb_set(input, '{acting}',
    (input->'acting') - 'visitId' || jsonb_build_object('actingSessionId', input->'acting'->'visitId'))
  where state in ('waiting', 'running') and input->'acting' ? 'visitId';
