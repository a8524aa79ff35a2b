-- What a school says it has sent, with proof: pending, then verified or rejected. Amounts in paise.
create table payments (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  season text not null references seasons (label),
  -- 'registration', 'books'
  purpose text not null,
  -- What the school puts in the remarks of its transfer and what the UPI code carries as tr
  reference text not null,
  gross int not null,
  retained int not null,
  payable int not null,
  paid_on date not null,
  utr text not null default '',
  remarks text not null,
  -- Money that has arrived can pay for what a school owes before the school has told of it: then nobody has sent a proof.
  proof_file_id text references files (id),
  proof_sha256 text not null,
  -- 'pending', 'verified', 'rejected'
  state text not null default 'pending',
  reason text not null default '',
  receipt_no text unique,
  receipt_file_id text references files (id),
  submitted_by bigint references users (id),
  submitted_at timestamptz not null,
  decided_by bigint references staff (id),
  decided_at timestamptz,
  version int not null default 1,
  -- The member of staff that entered the payment from a bank line
  entered_by bigint references staff (id),
  search_key text not null
  generated always as (lower(utr || chr(10) || reference || chr(10) || coalesce(receipt_no, ''))) stored,
  -- Of a verified payment whose money the bank has returned: it is rejected again, and keeps its receipt number and the day of
  -- its verification
  reversed_at timestamptz,
  reversed_by bigint references staff (id)
);
alter table library_lines add foreign key (payment_id) references payments (id);
-- The reference belongs to what is owed: after a rejection the same money is looked for under it again.
create unique index payments_by_reference on payments (reference) where state <> 'rejected';
create unique index payments_pending on payments (school_id, season, purpose) where state = 'pending';
create index payments_of_school on payments (school_id, season, id desc);
create index payments_queue on payments (state, submitted_at);
create index payments_by_utr on payments (utr) where utr <> '';
create index payments_by_proof on payments (proof_sha256);
-- Receipts by their day, cancelled ones included.
create index payments_by_receipt_day on payments (decided_at) where receipt_no is not null;
create index payments_verified_by_utr on payments (utr) where state = 'verified' and utr <> '';
create index payments_of_proof on payments (proof_file_id) where proof_file_id is not null;
create index payments_of_receipt_file on payments (receipt_file_id) where receipt_file_id is not null;
-- The queue of payments in each order, and what a payment is found by beside its school.
create index payments_oldest on payments (season, state, submitted_at, id);
create index payments_dearest on payments (season, state, payable desc, id);
-- What the search of the header finds by its beginning, in the order of characters.
create index payments_reference_begins on payments (upper(reference) text_pattern_ops);
create index payments_receipt_begins on payments (upper(receipt_no) text_pattern_ops) where receipt_no is not null;
create index payments_utr_begins on payments (upper(utr) text_pattern_ops) where utr <> '';

-- Which students a payment covers; while it is pending or verified (live), nobody is covered twice for a purpose.
create table payment_lines (
  payment_id bigint not null references payments (id),
  student_id bigint not null references students (id),
  purpose text not null,
  gross int not null,
  retained int not null,
  live boolean not null default true,
  primary key (payment_id, student_id)
);
create unique index payment_lines_once on payment_lines (student_id, purpose) where live;
-- A row that is deleted is looked for in all tables that refer to it: without these an undone import of a thousand
-- students read a million lines of payments a thousand times.
create index payment_lines_of_student on payment_lines (student_id);

-- What a payment for a library order covers (purpose 'library'), as it was when the payment was sent. Amounts in paise.
create table payment_library_lines (
  payment_id bigint not null references payments (id),
  line_id bigint not null references library_lines (id),
  event_id bigint not null references events (id),
  class_id int not null,
  kind text not null,
  quantity int not null,
  gross int not null,
  retained int not null,
  primary key (payment_id, line_id)
);

-- That a child's registration fee need not be paid: asked for with reason and evidence, decided by a second person.
-- Amounts in paise, as they were when it was asked for.
create table waivers (
  id bigint generated always as identity primary key,
  student_id bigint not null references students (id),
  school_id bigint not null references schools (id),
  season text not null references seasons (label),
  gross int not null,
  retained int not null,
  reason text not null,
  evidence_file_id text not null references files (id),
  -- 'asked', 'approved', 'declined', 'withdrawn'
  state text not null default 'asked',
  -- Somebody of the school, or of the office
  asked_by_user bigint references users (id),
  asked_by_staff bigint references staff (id),
  asked_at timestamptz not null,
  decided_by bigint references staff (id),
  decided_at timestamptz,
  decision text not null default '',
  version int not null default 1,
  check ((asked_by_user is null) <> (asked_by_staff is null))
);
create unique index waivers_once on waivers (student_id) where state in ('asked', 'approved');
create index waivers_queue on waivers (state, asked_at);
create index waivers_of_school on waivers (school_id, season);
create index waivers_of_student on waivers (student_id);
create index waivers_of_evidence on waivers (evidence_file_id);

-- Money that goes back to a school: proposed, approved by a second person, paid with the UTR of its transfer or sent back
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
  -- Where the money goes, as the bank's file of transfers wants it; empty where it goes to a UPI id
  account_name text not null default '',
  account_no text not null default '',
  ifsc text not null default '',
  -- The bank's file of transfers that it was in last
  filed_at timestamptz,
  -- What became of an approved one: 'paid' or 'returned'
  settled_by bigint references staff (id),
  settled_at timestamptz,
  settle_note text not null default '',
  check (state not in ('approved', 'rejected') or decided_by <> proposed_by)
);
create index refunds_of_school on refunds (school_id, id);
create index refunds_by_state on refunds (state, id);
-- A transfer pays one refund.
create unique index refunds_once_by_utr on refunds (utr) where state = 'paid' and settled_by is not null;

-- A school's credit with the foundation as entries and counter-entries; nothing is changed or removed.
create table school_credits (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  season text not null references seasons (label),
  -- 'received' (more has arrived than was paid for), 'used' (for a payment), 'refunded'
  kind text not null,
  -- Positive for what is received, negative for what is used or refunded
  amount bigint not null,
  line_id bigint,
  payment_id bigint references payments (id),
  refund_id bigint references refunds (id),
  note text not null default '',
  created_by bigint not null references staff (id),
  created_at timestamptz not null,
  -- What was paid for a child that was cancelled stands to the credit of the school that has paid.
  student_id bigint references students (id),
  -- A cancelled child is credited once by each school that has paid, also when two of them have become one.
  first_school bigint references schools (id),
  check (case when kind in ('received', 'cancelled') then amount > 0 else amount < 0 end)
);
create index school_credits_of_school on school_credits (school_id, season);
create index school_credits_by_day on school_credits (created_at);
create unique index school_credits_of_student on school_credits (student_id, coalesce(first_school, school_id))
  where student_id is not null;
-- Which payments were paid from credit.
create index school_credits_of_payment on school_credits (payment_id) where payment_id is not null;
