-- What every feature stands on: files, audit trail, outbox, limits, idempotency, jobs, counters, care of data.

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
  change jsonb not null default '{}',
  -- An officer who acts for a school: whose name the line stands for beside the officer's own
  acting_for text not null default ''
);
create index audit_of_subject on audit (subject_kind, subject_id, id desc);
create index audit_of_school on audit (school_id, id desc);
create index audit_in_time on audit (at, id);
create index audit_by_action on audit (action, at, id);
create index audit_by_actor on audit (actor_kind, actor_id, at, id);
-- One kind of record, the newest first: a rare kind is found without walking through all lines
create index audit_by_kind on audit (subject_kind, at, id);
-- The words of an activity line: who did it, and the texts that its change tells; not its keys and numbers, what is told of
-- parents to nobody, nor the program's own ids. What an import writes for each student is found by the student.
create index audit_by_words on audit using gin (
  array_to_tsvector(array_remove(regexp_split_to_array(lower(left(regexp_replace(
    actor_name || ' ' || acting_for || ' ' || jsonb_path_query_array(change, '$.** ? (@.type() == "object").keyvalue()
      ? (@.key != "parentName" && @.key != "parentEmail" && @.key != "parentMobile" && @.key != "fileId" && @.key != "jobId"
        && @.key != "import" && @.key != "invitation" && @.key != "sort").value[*] ? (@.type() == "string")')::text,
    '(\S{200})', '\1 ', 'g'), 20000)), '(?:\\.|[\x01-/:-@[-\x60{-\xbf\u0964\u0965\u2000-\u206f\u20b9])+'), ''))
) where action <> 'student.imported';

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
  error text,
  -- The school that a mail concerns, the account that it goes to, and the e-mail to many schools that it is one of
  school_id bigint,
  user_id bigint,
  mailing_id bigint
);
create index outbox_due on outbox (due_at, id) where done_at is null and failed_at is null;
create index outbox_failed on outbox (id) where failed_at is not null;
create index outbox_by_address on outbox ((payload->'to'->>'address') text_pattern_ops, id)
  where done_at is null and failed_at is null;
create index outbox_failed_by_address on outbox ((payload->'to'->>'address') text_pattern_ops, id)
  where failed_at is not null;
create index outbox_waiting_of_kind on outbox (kind, id) where done_at is null and failed_at is null;
create index outbox_failed_of_kind on outbox (kind, id) where failed_at is not null;
create index outbox_sent_of_kind on outbox (kind, id) where done_at is not null;
-- The mails of one school are listed the newest first.
create index outbox_of_school on outbox (school_id, id desc) where school_id is not null;

-- A mail that had left and came back, as the provider of the mail server has told.
create table mail_bounces (
  outbox_id bigint primary key references outbox (id) on delete cascade,
  at timestamptz not null,
  -- 5.1.1 (RFC 3463), and what the other mail server has answered, without addresses
  status text not null,
  reason text not null
);

-- Addresses of schools and of their people that e-mails come back from, until one arrives there again. Who changes theirs
-- leaves it behind.
create table bounced_addresses (
  address text primary key,
  at timestamptz not null,
  status text not null
);

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
create index jobs_in_time on jobs (created_at, id);
-- Each night's work waits once, however many instances there are
create unique index jobs_once_a_night on jobs (kind) where state in ('waiting', 'running') and kind like '%.night';

-- Gap-free numbers (receipts, exam roll numbers): the row is locked in the transaction that uses the number.
create table counters (
  name text primary key,
  value bigint not null
);

-- Kept by the limiter: how many tries a key has had, and until when they count (milliseconds since 1970).
create table rate_limits (
  key varchar(255) primary key,
  points int not null default 0,
  expire bigint
);

-- The instances that run on this database, so that one that does not share its files and backups with them is noticed.
create table instances (
  id text primary key,
  host text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

-- Backups that were made, by whom, and whether they were read back
create table backups (
  id bigint generated always as identity primary key,
  -- 'night', 'office', 'command'
  made_by text not null,
  staff_id bigint,
  started_at timestamptz not null,
  ended_at timestamptz,
  file_name text not null default '',
  bytes bigint not null default 0,
  -- Of the whole file
  sha256 text not null default '',
  rows bigint not null default 0,
  files int not null default 0,
  -- Contents that a row names and that are not there
  missing int not null default 0,
  -- When it was read back whole and every checksum agreed
  verified_at timestamptz,
  -- When the file was deleted because of its age
  deleted_at timestamptz,
  error text not null default ''
);
create index backups_in_time on backups (started_at desc, id desc);

-- One run of the retention job, or a dry run of it: how much of each kind of data went, or would go
create table retention_runs (
  id bigint generated always as identity primary key,
  dry boolean not null,
  -- {"sessions": 12, ...}
  counts jsonb not null default '{}',
  staff_id bigint,
  started_at timestamptz not null,
  ended_at timestamptz
);
create index retention_runs_in_time on retention_runs (started_at desc, id desc);
