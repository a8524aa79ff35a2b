-- What a database that was made before 0001 to 0019 were written as one has beside them
-- unused since 0.1.0: incident_reports
-- unused since 0.1.0: incident_picks
-- unused since 0.1.0: incident_picked
-- unused since 0.1.0: incidents.began_at
-- unused since 0.1.0: incidents.consequences
-- unused since 0.1.0: incidents.safety
-- unused since 0.1.0: incidents.contact
-- unused since 0.1.0: incidents.conclusion
-- unused since 0.1.0: incidents.words
-- unused since 0.1.0: incidents.send_asked_by
-- unused since 0.1.0: incidents.send_asked_at
-- unused since 0.1.0: incidents.send_approved_by
-- unused since 0.1.0: incidents.send_approved_at
drop table if exists incident_picked, incident_picks, incident_reports;
alter table incidents
  drop column if exists began_at,
  drop column if exists consequences,
  drop column if exists safety,
  drop column if exists contact,
  drop column if exists conclusion,
  drop column if exists words,
  drop column if exists send_asked_by,
  drop column if exists send_asked_at,
  drop column if exists send_approved_by,
  drop column if exists send_approved_at;
update jobs set kind = replace(replace(kind, 'care.', ''), 'cockpit.', 'overview.')
  where kind like 'care.%' or kind like 'cockpit.%';
