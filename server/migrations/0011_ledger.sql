-- What each school owes, has paid and keeps in a season, kept for the list over all schools. Amounts in paise. Counted anew
-- from fees, payments, credits, waivers and moves for each school in ledger_stale before anything is read
-- (docs/algorithms/statement.md).
create table school_ledgers (
  season text not null references seasons (label),
  school_id bigint not null references schools (id),
  students int not null,
  gross bigint not null,
  retained bigint not null,
  -- Verified payments, and those that wait to be verified
  paid bigint not null,
  verifying bigint not null,
  waived bigint not null,
  -- Paid by other schools for children that came, less what was paid for those that left
  moved bigint not null,
  credit bigint not null,
  balance bigint not null generated always as (gross - retained - paid - waived - moved - credit) stored,
  primary key (season, school_id)
);

-- Schools whose sums have changed since they were counted. Rows are only added and taken away, so nobody waits for them,
-- and they have no key: a child that is entered pays for this row, too.
create table ledger_stale (
  school_id bigint not null,
  season text not null
);
