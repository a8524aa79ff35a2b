-- outside a transaction
-- The e-mails of one e-mail to many schools are listed the newest first.
create index concurrently outbox_of_mailing on outbox (mailing_id, id desc) where mailing_id is not null;
