-- Bank statements, what became of each of their lines, closed days, and the change of the foundation's accounts by two
-- people. Amounts in paise.

create table bank_account_changes (
  id bigint generated always as identity primary key,
  purpose text not null,
  account_name text not null,
  bank_name text not null,
  account_no text not null,
  ifsc text not null,
  upi_id text not null,
  reason text not null,
  -- 'proposed', 'approved', 'rejected', 'withdrawn', 'stopped'
  state text not null default 'proposed',
  proposed_by bigint not null references staff (id),
  proposed_at timestamptz not null,
  decided_by bigint references staff (id),
  decided_at timestamptz,
  decision_note text not null default '',
  -- Of an approved one: when schools see it
  valid_from timestamptz,
  account_id bigint references bank_accounts (id),
  check (state not in ('approved', 'rejected') or decided_by <> proposed_by)
);
create unique index bank_account_changes_open on bank_account_changes (purpose) where state = 'proposed';

-- Which column is what, for a set of headings: remembered from the last import.
create table bank_layouts (
  headings text primary key,
  mapping jsonb not null,
  updated_by bigint not null references staff (id),
  updated_at timestamptz not null
);

create table bank_statements (
  id bigint generated always as identity primary key,
  account_no text not null,
  file_name text not null,
  file_sha256 text not null,
  first_day date not null,
  last_day date not null,
  -- Lines of money that came in; of these how many were new, and what they add up to
  lines int not null,
  fresh int not null,
  amount bigint not null,
  -- Lines of money that went out, which are left aside
  outgoing int not null,
  job_id text,
  imported_by bigint not null references staff (id),
  imported_at timestamptz not null,
  -- What the file says, in paise; null where it does not
  incoming bigint,
  outgoing_amount bigint,
  opening bigint,
  closing bigint,
  -- Whether the file itself says both
  balances_read boolean not null default false,
  reconciled_by bigint references staff (id),
  reconciled_at timestamptz
);

-- Lines that are no money of schools whenever they come: ignored at their import. A rule is revoked, never removed.
create table bank_rules (
  id bigint generated always as identity primary key,
  contains text not null check (length(contains) >= 4),
  reason text not null,
  created_by bigint not null references staff (id),
  created_at timestamptz not null,
  revoked_by bigint references staff (id),
  revoked_at timestamptz
);
create unique index bank_rules_active on bank_rules (lower(contains)) where revoked_at is null;

-- One transfer that has arrived. It stands here once, however many statements show it.
create table bank_lines (
  id bigint generated always as identity primary key,
  account_no text not null,
  statement_id bigint not null references bank_statements (id),
  row_no int not null,
  day date not null,
  amount bigint not null check (amount > 0),
  utr text not null,
  narration text not null,
  -- Day, amount and UTR (or narration) in one, and the how many-th line of one statement that has it
  line_key text not null,
  ordinal int not null,
  -- 'open', 'booked', 'discarded'
  state text not null default 'open',
  -- Of an open line, what the matcher thinks: 'exact', 'likely', 'unknown', 'already'; null until it has looked
  guess text,
  proposal jsonb,
  guess_school_id bigint references schools (id),
  -- What became of it, always adding up to the amount once it is decided
  to_payments bigint not null default 0,
  to_credit bigint not null default 0,
  discarded bigint not null default 0,
  reason text not null default '',
  decided_by bigint references staff (id),
  decided_at timestamptz,
  version int not null default 1,
  -- What a line of a bank statement is found by beside its school.
  search_key text not null
  generated always as (lower(narration || chr(10) || utr)) stored,
  -- What an officer has said yes to, and the job that books it a minute later unless it is undone before
  booking jsonb,
  booking_job text,
  booking_by bigint references staff (id),
  books_at timestamptz,
  -- The refusal that kept the last such booking from being made; empty where there was none
  booking_refused text not null default '',
  rule_id bigint references bank_rules (id),
  -- When an officer decided what becomes of a matched line whose money the bank has returned; until then it waits on the desk
  returned_decided_at timestamptz,
  returned_decided_by bigint references staff (id),
  unique (account_no, line_key, ordinal),
  check (to_payments >= 0 and to_credit >= 0 and discarded >= 0),
  check (case state when 'open' then to_payments + to_credit + discarded = 0
    else to_payments + to_credit + discarded = amount end)
);
alter table school_credits add foreign key (line_id) references bank_lines (id);
create index bank_lines_open on bank_lines (guess, day, id) where state = 'open';
create index bank_lines_in_order on bank_lines (day, id);
create index bank_lines_by_school on bank_lines (guess_school_id) where state = 'open';
create index bank_lines_by_decision on bank_lines (decided_at);
create index bank_lines_of_statement on bank_lines (statement_id);
create index bank_lines_utr_begins on bank_lines (upper(utr) text_pattern_ops) where utr <> '';
-- A UTR names one transfer: another line with it is found by its number without leading zeros.
create index bank_lines_by_utr on bank_lines (ltrim(utr, '0'), amount) where utr <> '';
create index bank_lines_booking on bank_lines (books_at) where books_at is not null;
create index bank_lines_by_rule on bank_lines (rule_id) where rule_id is not null;
-- Matched lines whose money was returned are found from the debits.
create index bank_lines_booked_amounts on bank_lines (account_no, amount, day)
  where state = 'booked' and returned_decided_at is null;

-- Money that went out under a UTR. If it is the UTR of a credit of the days before, the bank has returned that credit.
create table bank_debits (
  account_no text not null,
  amount bigint not null check (amount > 0),
  day date not null,
  utr text not null,
  statement_id bigint not null references bank_statements (id),
  primary key (account_no, amount, day, utr)
);

-- Which payments the money of a line has paid. A payment gets its money once: from lines, from credit, or from both.
create table bank_line_payments (
  line_id bigint not null references bank_lines (id),
  payment_id bigint not null references payments (id),
  amount bigint not null check (amount > 0),
  -- The payment was verified by hand before the line was found
  found_later boolean not null default false,
  at timestamptz not null,
  primary key (line_id, payment_id)
);
create unique index bank_line_payments_once on bank_line_payments (payment_id);

-- A day of the office's money as it was closed.
create table day_closings (
  day date primary key,
  figures jsonb not null,
  note text not null default '',
  closed_by bigint not null references staff (id),
  closed_at timestamptz not null
);
