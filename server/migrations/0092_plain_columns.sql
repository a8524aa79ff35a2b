-- Gives a database that is older than the baseline of today its names of columns; a new one has them. No released version
-- knows the old ones.
-- unused since 0.1.0: incidents.drill
alter table incidents drop column if exists drill;
alter index if exists incident_people_untold rename to incident_people_to_notify;
do $$
declare
  renamed record;
  of_column text;
begin
  for renamed in
    select * from (values
      ('exam_schedules', 'told_at', 'notified_at'),
      ('next_level_invitations', 'told', 'notice'),
      ('next_level_invitations', 'told_at', 'notified_at'),
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
-- The lines of the activity log are named after them.
update audit set action = case when action = 'schedule.told' then 'schedule.notified'
    else replace(action, 'incident.told', 'incident.notified') end,
  change = case when change ? 'told' then (change - 'told') || jsonb_build_object('notified', change -> 'told') else change end
  where action in ('incident.told', 'incident.told_otherwise', 'schedule.told');
