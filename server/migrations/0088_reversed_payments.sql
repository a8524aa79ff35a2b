-- A verified payment whose money the bank has returned: rejected again, with its receipt number and the day of its verification.
alter table payments add column reversed_at timestamptz, add column reversed_by bigint references staff (id);
