-- A refund is approved, paid with the UTR of its transfer, or sent back; and a bank statement is reconciled and closed.

-- Where the money goes, as the bank's file of transfers wants it; empty where it goes to a UPI id
alter table refunds add column account_name text not null default '';
alter table refunds add column account_no text not null default '';
alter table refunds add column ifsc text not null default '';
-- The bank's file of transfers that it was in last
alter table refunds add column filed_at timestamptz;
-- What became of an approved one: 'paid' or 'returned'
alter table refunds add column settled_by bigint references staff (id);
alter table refunds add column settled_at timestamptz;
alter table refunds add column settle_note text not null default '';
-- Until now a refund was approved once its transfer was made.
update refunds set state = 'paid', settled_at = decided_at where state = 'approved';

-- What the file says, in paise; null where it does not, or where it was imported before this
alter table bank_statements add column incoming bigint;
alter table bank_statements add column outgoing_amount bigint;
alter table bank_statements add column opening bigint;
alter table bank_statements add column closing bigint;
-- Whether the file itself says both
alter table bank_statements add column balances_read boolean not null default false;
alter table bank_statements add column reconciled_by bigint references staff (id);
alter table bank_statements add column reconciled_at timestamptz;
