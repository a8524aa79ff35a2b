-- outside a transaction
-- What the search of the header finds by its beginning, in the order of characters.
create index concurrently payments_reference_begins on payments (upper(reference) text_pattern_ops);
create index concurrently payments_receipt_begins on payments (upper(receipt_no) text_pattern_ops) where receipt_no is not null;
create index concurrently payments_utr_begins on payments (upper(utr) text_pattern_ops) where utr <> '';
create index concurrently bank_lines_utr_begins on bank_lines (upper(utr) text_pattern_ops) where utr <> '';
create index concurrently packets_number_begins on packets (upper(consignment_no) text_pattern_ops) where consignment_no <> '';
create index concurrently users_email_begins on users (lower(email) text_pattern_ops);
