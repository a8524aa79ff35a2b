-- outside a transaction
-- The mails of one school are listed the newest first.
create index concurrently outbox_of_school on outbox (school_id, id desc) where school_id is not null;
