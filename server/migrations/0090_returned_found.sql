-- Matched lines whose money was returned are found from the debits; receipts by their day, cancelled ones included.
create index bank_lines_booked_amounts on bank_lines (account_no, amount, day)
  where state = 'booked' and returned_decided_at is null;
drop index payments_by_decision;
create index payments_by_decision on payments (decided_at) where receipt_no is not null;
