-- outside a transaction
-- When the bank returns the money of an order, its lines are open again, also beside a later line of the same book. A second
-- line of a book is refused under the school's lock where it is ordered.
drop index concurrently if exists library_lines_once;
