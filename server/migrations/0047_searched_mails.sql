-- Mails found by whom they go to, while that is known, and by kind; the newest first.

-- As before, in the order of characters: what begins with a text is a range of it
drop index outbox_by_address;
create index outbox_by_address on outbox ((payload->'to'->>'address') text_pattern_ops, id)
  where done_at is null and failed_at is null;
create index outbox_failed_by_address on outbox ((payload->'to'->>'address') text_pattern_ops, id)
  where failed_at is not null;

create index outbox_waiting_of_kind on outbox (kind, id) where done_at is null and failed_at is null;
create index outbox_failed_of_kind on outbox (kind, id) where failed_at is not null;
create index outbox_sent_of_kind on outbox (kind, id) where done_at is not null;
