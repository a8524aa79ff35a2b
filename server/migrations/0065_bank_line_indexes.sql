-- outside a transaction
-- A UTR names one transfer: another line with it is found by its number without leading zeros.
create index concurrently bank_lines_by_utr on bank_lines (ltrim(utr, '0'), amount) where utr <> '';
create index concurrently bank_lines_booking on bank_lines (books_at) where books_at is not null;
create index concurrently bank_lines_by_rule on bank_lines (rule_id) where rule_id is not null;
