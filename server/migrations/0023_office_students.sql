-- The office looks for a child among all schools: by the beginnings of words of the folded name in any order, by the
-- parent's mobile, by the school's roll no, and through a season in the order of names. No extension is needed.
create index students_by_words on students using gin (array_to_tsvector(string_to_array(name_key, ' ')));
create index students_by_parent on students (parent_mobile text_pattern_ops) where parent_mobile <> '';
create index students_by_roll_no on students (roll_no, season);
create index students_in_order on students (season, name_key, id);
-- What is rare is found without walking through all
create index students_deleted on students (season, name_key, id) where not active;
create index students_verifying on students (season, name_key, id) where locked;

create index students_of_class on students (season, class_id, name_key, id);

-- The registration fee of the child is waived: it counts as paid without money
alter table students add column waived boolean not null default false;
create index students_waived on students (season, name_key, id) where waived;
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

-- Somebody is invited to work for a school: the mail's link works once and until its end.
create table school_invitations (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  email text not null,
  name text not null,
  token_hash text not null unique,
  invited_by_user bigint references users (id),
  invited_by_staff bigint references staff (id),
  invited_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_by bigint references users (id),
  accepted_at timestamptz,
  withdrawn_at timestamptz
);
create unique index school_invitations_open on school_invitations (school_id, email)
  where accepted_at is null and withdrawn_at is null;

-- What the office asks back before it decides, and what the applicant answers; 'asked' is one more state of review.
alter table applications add column question text not null default '';
alter table applications add column asked_at timestamptz;
alter table applications add column asked_by bigint references staff (id);
alter table applications add column answer text not null default '';
alter table applications add column answered_at timestamptz;
drop index applications_open;
create unique index applications_open on applications (user_id) where state_of_review in ('submitted', 'asked');

-- A school that was entered twice: its code leads on to the one that stays.
alter table schools add column merged_into bigint references schools (id);
alter table schools add column merged_at timestamptz;

-- A child that changed its school within a season. What was paid for it stays with the school that has paid: `amount`
-- (paise) stands in both accounts, owed in one and credited in the other.
create table student_moves (
  id bigint generated always as identity primary key,
  student_id bigint not null references students (id),
  season text not null references seasons (label),
  from_school bigint not null references schools (id),
  to_school bigint not null references schools (id),
  amount bigint not null check (amount >= 0),
  reason text not null,
  moved_by bigint not null references staff (id),
  at timestamptz not null,
  check (from_school <> to_school)
);
create index student_moves_from on student_moves (from_school, season);
create index student_moves_to on student_moves (to_school, season);
create index student_moves_of on student_moves (student_id);

-- What was paid for a child that was cancelled stands to the credit of the school that has paid: one more kind of entry
alter table school_credits add column student_id bigint references students (id);
alter table school_credits drop constraint school_credits_check;
alter table school_credits add constraint school_credits_check
  check (case when kind in ('received', 'cancelled') then amount > 0 else amount < 0 end);
create unique index school_credits_of_student on school_credits (student_id, school_id) where student_id is not null;
