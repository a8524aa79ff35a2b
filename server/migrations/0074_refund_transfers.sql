-- outside a transaction
-- A transfer pays one refund. What was approved before had no person who paid it, and its UTR may be missing or twice.
create unique index concurrently refunds_once_by_utr on refunds (utr) where state = 'paid' and settled_by is not null;
