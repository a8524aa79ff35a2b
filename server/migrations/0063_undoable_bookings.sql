-- What an officer has said yes to, and the job that books it a minute later unless it is undone before
alter table bank_lines add column booking jsonb;
alter table bank_lines add column booking_job text;
alter table bank_lines add column booking_by bigint references staff (id);
alter table bank_lines add column books_at timestamptz;
-- The refusal that kept the last such booking from being made; empty where there was none
alter table bank_lines add column booking_refused text not null default '';
