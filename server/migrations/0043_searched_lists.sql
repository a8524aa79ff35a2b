-- Which payments were paid from credit.
create index school_credits_of_payment on school_credits (payment_id) where payment_id is not null;

-- What a line of a bank statement is found by beside its school.
alter table bank_lines add column search_key text not null
  generated always as (lower(narration || chr(10) || utr)) stored;
