-- Bank statements, what became of each of their lines, credits of schools, refunds, closed days, and the change of the
-- foundation's accounts by two people. Amounts in paise.

-- Money that has arrived can pay for what a school owes before the school has told of it: then nobody has sent a proof.
alter table payments alter column proof_file_id drop not null;
alter table payments alter column submitted_by drop not null;
-- The member of staff that entered the payment from a bank line
alter table payments add column entered_by bigint references staff (id);
create index payments_by_decision on payments (decided_at) where state = 'verified';
create index payments_verified_by_utr on payments (utr) where state = 'verified' and utr <> '';

-- An account of the foundation that was approved and then stopped before it took effect
alter table bank_accounts add column stopped_at timestamptz;

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
  imported_at timestamptz not null
);

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
  unique (account_no, line_key, ordinal),
  check (to_payments >= 0 and to_credit >= 0 and discarded >= 0),
  check (case state when 'open' then to_payments + to_credit + discarded = 0
    else to_payments + to_credit + discarded = amount end)
);
create index bank_lines_open on bank_lines (guess, day, id) where state = 'open';
create index bank_lines_in_order on bank_lines (day, id);
create index bank_lines_by_school on bank_lines (guess_school_id) where state = 'open';
create index bank_lines_by_decision on bank_lines (decided_at);
create index bank_lines_of_statement on bank_lines (statement_id);

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

create table refunds (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  season text not null references seasons (label),
  amount bigint not null check (amount > 0),
  -- Where the money goes: account name, number, IFSC, or a UPI id
  pay_to text not null,
  reason text not null,
  -- 'proposed', 'approved', 'rejected', 'withdrawn'
  state text not null default 'proposed',
  proposed_by bigint not null references staff (id),
  proposed_at timestamptz not null,
  decided_by bigint references staff (id),
  decided_at timestamptz,
  decision_note text not null default '',
  utr text not null default '',
  check (state not in ('approved', 'rejected') or decided_by <> proposed_by)
);
create index refunds_of_school on refunds (school_id, id);
create index refunds_by_state on refunds (state, id);

-- A school's credit with the foundation as entries and counter-entries; nothing is changed or removed.
create table school_credits (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  season text not null references seasons (label),
  -- 'received' (more has arrived than was paid for), 'used' (for a payment), 'refunded'
  kind text not null,
  -- Positive for what is received, negative for what is used or refunded
  amount bigint not null check (case kind when 'received' then amount > 0 else amount < 0 end),
  line_id bigint references bank_lines (id),
  payment_id bigint references payments (id),
  refund_id bigint references refunds (id),
  note text not null default '',
  created_by bigint not null references staff (id),
  created_at timestamptz not null
);
create index school_credits_of_school on school_credits (school_id, season);
create index school_credits_by_day on school_credits (created_at);

-- A day of the office's money as it was closed.
create table day_closings (
  day date primary key,
  figures jsonb not null,
  note text not null default '',
  closed_by bigint not null references staff (id),
  closed_at timestamptz not null
);
