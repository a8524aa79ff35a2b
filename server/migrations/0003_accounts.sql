create table schools (
  id bigint generated always as identity primary key,
  code text not null unique,
  name text not null,
  -- Folded name for search and likely duplicates
  name_key text not null,
  email text not null default '',
  address text not null,
  city text not null,
  district text not null default '',
  state text not null,
  -- Zone of the state when it was saved; 'Abroad' outside India
  zone text not null,
  country text not null,
  pin_code text not null,
  affiliation_no text not null default '',
  udise_code text not null default '',
  group_id text not null default '',
  landline text not null default '',
  fax text not null default '',
  website text not null default '',
  phone text not null default '',
  whatsapp text not null default '',
  active boolean not null default true,
  created_at timestamptz not null,
  version int not null default 1,
  -- Why and since when a school is switched off; empty and null while it is active
  inactive_reason text not null default '',
  inactive_since timestamptz,
  -- All that the office searches a school by, folded as names are; the numbers without what people write between digits
  search_key text not null generated always as (
  name_key || ' ' || lower(code)
  || ' ' || regexp_replace(translate(lower(city || ' ' || affiliation_no), '.,-/()''', '       '), ' +', ' ', 'g')
  || ' ' || udise_code || ' ' || lower(pin_code) || ' ' || regexp_replace(phone || '/' || whatsapp || '/' || landline, '[^0-9/]', '', 'g')
) stored,
  -- A school that was entered twice: its code leads on to the one that stays.
  merged_into bigint references schools (id),
  merged_at timestamptz
);
create index schools_by_name on schools (name_key);
create index schools_by_pin on schools (pin_code);
create unique index schools_by_udise on schools (udise_code) where udise_code <> '';
-- The orders in which the office reads the list, page by page
create index schools_in_order on schools (name_key, id);
create index schools_by_city on schools (city, name_key, id);
create index schools_by_place on schools (state, district);
create index schools_merged on schools (merged_into) where merged_into is not null;
create index schools_by_affiliation on schools (affiliation_no) where affiliation_no <> '';

create table users (
  id bigint generated always as identity primary key,
  email text not null unique,
  name text not null,
  -- Null for somebody who signs in by a provider only
  password_hash text,
  mobile text not null default '',
  gender int,
  -- 'Teacher', 'Parent', 'School': a label, never a permission
  designation text not null,
  address text not null default '',
  city text not null default '',
  state text not null default '',
  country text not null default '',
  pin_code text not null default '',
  school_id bigint references schools (id),
  coordinator boolean not null default false,
  language text not null default 'en',
  created_at timestamptz not null,
  last_sign_in_at timestamptz,
  disabled_at timestamptz,
  version int not null default 1
);
create index users_of_school on users (school_id);
create index users_email_begins on users (lower(email) text_pattern_ops);

create table social_identities (
  provider text not null,
  subject text not null,
  user_id bigint not null references users (id),
  email text not null,
  created_at timestamptz not null,
  primary key (provider, subject)
);

-- The foundation's own people; they sign in with a second factor.
create table staff (
  id bigint generated always as identity primary key,
  email text not null unique,
  name text not null,
  -- 'owner', 'operations', 'accounts', 'results', 'viewer'
  role text not null,
  password_hash text,
  -- Encrypted with the key of the installation
  totp_secret text,
  totp_last_step bigint not null default 0,
  recovery_codes text[] not null default '{}',
  created_at timestamptz not null,
  disabled_at timestamptz,
  version int not null default 1
);

-- Opaque tokens, stored hashed. A session belongs to a user, a member of staff or a family link.
create table sessions (
  token_hash text primary key,
  -- 'account', 'office', 'family'
  kind text not null,
  user_id bigint references users (id),
  staff_id bigint references staff (id),
  family_link_id text,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- Idle end, moved on by use; and the end that does not move
  idle_until timestamptz not null,
  expires_at timestamptz not null,
  stay_signed_in boolean not null default false,
  ended_at timestamptz,
  source text not null default '',
  agent text not null default '',
  acting_session_id bigint,
  -- When the officer of a session last proved a password or a second factor: what is hard to undo asks for it anew.
  confirmed_at timestamptz,
  -- When the next token is offered; null: never
  token_due_at timestamptz,
  -- Why it ended: a token that was replaced long ago came back
  reused_at timestamptz
);
create index sessions_of_user on sessions (user_id) where ended_at is null;
create index sessions_of_staff on sessions (staff_id) where ended_at is null;
create index sessions_by_end on sessions (expires_at);
create index sessions_of_acting_session on sessions (acting_session_id) where acting_session_id is not null;
create index sessions_by_staff on sessions (staff_id, last_seen_at) where staff_id is not null;

-- Tokens of sessions that stay signed in: each day of use brings a new one. `sessions.token_hash`, of the first, names the session.
create table session_tokens (
  token_hash text primary key,
  session_hash text not null references sessions (token_hash) on delete cascade,
  made_at timestamptz not null,
  -- The first use of a new token is what replaces those before it: an answer may be lost on its way
  used_at timestamptz,
  replaced_at timestamptz
);
create index session_tokens_of_session on session_tokens (session_hash);

-- Proofs of one step on the way to another: one-time password, access code, reset link, social sign-in.
create table tickets (
  id_hash text primary key,
  -- 'otp', 'email', 'school', 'reset', 'social', 'totp', 'setup'
  kind text not null,
  email text not null default '',
  school_link_id text,
  user_id bigint,
  staff_id bigint,
  code_hash text,
  tries int not null default 0,
  data jsonb not null default '{}',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index tickets_by_end on tickets (expires_at);
create index tickets_by_email on tickets (kind, email, created_at desc);

-- Views of the office's lists: filters and hidden columns under a name, one's own or shared with the office.
create table saved_views (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff (id),
  list text not null,
  name text not null,
  filters jsonb not null,
  hidden jsonb not null,
  shared boolean not null,
  created_at timestamptz not null,
  unique (staff_id, list, name)
);
create index saved_views_shared on saved_views (list) where shared;

-- Texts of mails that the office has written itself; what is not here is the program's own
create table mail_texts (
  kind text not null,
  language text not null,
  subject text not null,
  body text not null,
  changed_by bigint not null references staff (id),
  changed_at timestamptz not null,
  version int not null default 1,
  primary key (kind, language)
);

-- Who of the office works on what waits: one row for each payment or application that is assigned. It locks nothing, and
-- stays once the item is decided.
create table assignments (
  -- 'payment', 'application'
  kind text not null,
  item_id bigint not null,
  staff_id bigint not null references staff (id),
  assigned_at timestamptz not null,
  primary key (kind, item_id)
);
create index assignments_of_staff on assignments (staff_id, kind);

-- What each officer has open now, written anew while it is open.
create table staff_looks (
  staff_id bigint primary key references staff (id),
  kind text not null,
  item_id bigint not null,
  seen_at timestamptz not null,
  -- The further items of the same kind: a page that shows several below each other
  beside bigint[] not null default '{}'
);

-- What was made before staff was
alter table backups add foreign key (staff_id) references staff (id);
alter table retention_runs add foreign key (staff_id) references staff (id);
alter table event_rules add foreign key (saved_by) references staff (id);
