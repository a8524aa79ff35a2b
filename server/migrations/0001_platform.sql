-- What every feature stands on: audit trail, outbox, files, limits, idempotency, jobs, counters.

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- 'account', 'family', 'office' or 'system'
  actor_kind text not null,
  actor_id bigint,
  actor_name text not null,
  school_id bigint,
  season text,
  -- Stable code of what happened, e.g. 'student.saved'
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  -- { from: {...}, to: {...} } or what there is to say of it
  change jsonb not null default '{}'
);
create index audit_of_subject on audit (subject_kind, subject_id, id desc);
create index audit_of_school on audit (school_id, id desc);
create index audit_by_time on audit (at);

-- Effects outside the database (mail) are rows of the same transaction, delivered at least once.
create table outbox (
  id bigint generated always as identity primary key,
  key text not null unique,
  kind text not null,
  payload jsonb not null,
  created_at timestamptz not null,
  due_at timestamptz not null,
  attempts int not null default 0,
  claimed_until timestamptz,
  done_at timestamptz,
  failed_at timestamptz,
  error text
);
create index outbox_due on outbox (due_at, id) where done_at is null and failed_at is null;
-- Mails to one address leave in the order in which they were written.
create index outbox_by_address on outbox ((payload->'to'->>'address'), id)
  where done_at is null and failed_at is null;

-- Metadata of a stored file; the content lies in the data folder under its hash.
create table files (
  id text primary key,
  school_id bigint,
  -- 'payment-proof', 'receipt', 'import' ...
  kind text not null,
  name text not null,
  media_type text not null,
  bytes int not null,
  sha256 text not null,
  created_by bigint,
  created_at timestamptz not null
);
create index files_by_hash on files (sha256);
create index files_of_school on files (school_id);

create table idempotency_keys (
  -- Who sent it, e.g. 'account:12'
  scope text not null,
  key text not null,
  request_sha256 text not null,
  answer jsonb,
  at timestamptz not null,
  primary key (scope, key)
);
create index idempotency_by_time on idempotency_keys (at);

-- Counted, cancellable long work whose progress survives leaving the page.
create table jobs (
  id text primary key,
  kind text not null,
  school_id bigint,
  season text,
  -- 'waiting', 'running', 'done', 'failed', 'cancelled'
  state text not null,
  done int not null default 0,
  total int not null default 0,
  input jsonb not null default '{}',
  output jsonb,
  error text,
  created_by bigint,
  created_at timestamptz not null,
  -- Not to be started before; null: at once
  due_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  -- A runner that died leaves its claim to the next one, but not for ever.
  claimed_until timestamptz,
  attempts int not null default 0
);
create index jobs_open on jobs (kind, created_at) where state in ('waiting', 'running');
create index jobs_of_school on jobs (school_id, created_at desc);

-- Gap-free numbers (receipts, exam roll numbers): the row is locked in the transaction that uses the number.
create table counters (
  name text primary key,
  value bigint not null
);

-- Settings of the foundation that the office edits: name, support phone and hours, social pages.
create table foundation (
  id int primary key default 1 check (id = 1),
  name text not null,
  support_phone text not null,
  support_email text not null,
  support_hours text not null default 'Monday to Friday, 9 AM to 5 PM',
  receipt_prefix text not null default 'PD',
  social_links jsonb not null default '[]',
  demo boolean not null default false,
  version int not null default 1
);

-- Kept by the limiter: how many tries a key has had, and until when they count (milliseconds since 1970).
create table rate_limits (
  key varchar(255) primary key,
  points int not null default 0,
  expire bigint
);
