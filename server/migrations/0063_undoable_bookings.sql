-- A UTR names one transfer: another line with it is found by its number without leading zeros.
create index bank_lines_by_utr on bank_lines (ltrim(utr, '0'), amount) where utr <> '';

-- What an officer has said yes to, and the job that books it a minute later unless it is undone before
alter table bank_lines add column booking jsonb;
alter table bank_lines add column booking_job text;
alter table bank_lines add column booking_by bigint references staff (id);
alter table bank_lines add column books_at timestamptz;
-- The refusal that kept the last such booking from being made; empty where there was none
alter table bank_lines add column booking_refused text not null default '';
create index bank_lines_booking on bank_lines (books_at) where books_at is not null;
