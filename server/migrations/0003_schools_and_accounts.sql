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
  version int not null default 1
);
create index schools_by_name on schools (name_key);
create index schools_by_pin on schools (pin_code);
create unique index schools_by_udise on schools (udise_code) where udise_code <> '';

-- The link behind the QR code on a school's invitation, and its access code.
create table school_links (
  id text primary key,
  school_id bigint not null references schools (id),
  access_code_hash text not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index school_links_of_school on school_links (school_id);

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
  agent text not null default ''
);
create index sessions_of_user on sessions (user_id) where ended_at is null;
create index sessions_of_staff on sessions (staff_id) where ended_at is null;
create index sessions_by_end on sessions (expires_at);

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

-- The school detail form of somebody without a school link, waiting for the foundation.
create table applications (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  school_name text not null,
  name_key text not null,
  address text not null,
  city text not null,
  state text not null,
  district text not null,
  country text not null,
  pin_code text not null,
  phone text not null,
  udise_code text not null default '',
  affiliation_no text not null default '',
  -- 'submitted', 'approved', 'rejected'
  state_of_review text not null default 'submitted',
  reason text not null default '',
  school_id bigint references schools (id),
  submitted_at timestamptz not null,
  decided_by bigint references staff (id),
  decided_at timestamptz,
  version int not null default 1
);
create unique index applications_open on applications (user_id) where state_of_review = 'submitted';
create index applications_queue on applications (state_of_review, submitted_at);

create table contacts (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  season text not null,
  designation_id int not null references designations (id),
  title_id int not null references titles (id),
  name text not null,
  email text not null,
  alt_email text not null default '',
  mobile text not null,
  alt_mobile text not null default '',
  active boolean not null default true,
  -- A contact that a school adds waits for the office to confirm it
  confirmed_at timestamptz,
  created_at timestamptz not null,
  version int not null default 1
);
create index contacts_of_school on contacts (school_id, season);
