-- outside a transaction
-- Matched lines whose money was returned are found from the debits; receipts by their day, cancelled ones included.
create index concurrently bank_lines_booked_amounts on bank_lines (account_no, amount, day)
  where state = 'booked' and returned_decided_at is null;
create index concurrently payments_by_receipt_day on payments (decided_at) where receipt_no is not null;
drop index concurrently if exists payments_by_decision;
