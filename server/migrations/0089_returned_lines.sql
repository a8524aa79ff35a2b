-- When somebody decided what becomes of a matched line whose money the bank has returned; until then it waits on the desk.
alter table bank_lines add column returned_decided_at timestamptz, add column returned_decided_by bigint references staff (id);
