-- Money that went out under a UTR. Where it is that of a credit of the days before, the bank has returned that credit.
create table bank_debits (
  account_no text not null,
  amount bigint not null check (amount > 0),
  day date not null,
  utr text not null,
  statement_id bigint not null references bank_statements (id),
  primary key (account_no, amount, day, utr)
);
