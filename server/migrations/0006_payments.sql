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
  proof_file_id text not null references files (id),
  proof_sha256 text not null,
  -- 'pending', 'verified', 'rejected'
  state text not null default 'pending',
  reason text not null default '',
  receipt_no text unique,
  receipt_file_id text references files (id),
  submitted_by bigint not null references users (id),
  submitted_at timestamptz not null,
  decided_by bigint references staff (id),
  decided_at timestamptz,
  version int not null default 1
);
-- The reference belongs to what is owed: after a rejection the same money is looked for under it again.
create unique index payments_by_reference on payments (reference) where state <> 'rejected';
create unique index payments_pending on payments (school_id, season, purpose) where state = 'pending';
create index payments_of_school on payments (school_id, season, id desc);
create index payments_queue on payments (state, submitted_at);
create index payments_by_utr on payments (utr) where utr <> '';
create index payments_by_proof on payments (proof_sha256);

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
