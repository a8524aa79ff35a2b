-- Decisions about odd rows of marks that were taken back, and the register of breaches of personal data.

alter table result_anomalies
  -- What was decided and taken back, oldest first: [{ resolution, by, at, reason, reopenedBy, reopenedAt }]
  add column reopened jsonb not null default '[]';

-- How an online exam went is told by exam_status alone.
alter table exam_schedules drop column reported_at;
