-- Questions that teachers send in; the office reviews them.
create table teacher_questions (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  season text not null,
  user_id bigint not null references users (id),
  letter text not null references subjects (letter),
  class_id int not null,
  chapter text not null,
  question text not null,
  options jsonb not null,
  answer int not null,
  -- 'sent', 'accepted', 'declined'
  state text not null default 'sent',
  reason text not null default '',
  created_at timestamptz not null,
  version int not null default 1,
  reviewed_by bigint references staff (id),
  reviewed_at timestamptz
);
create index teacher_questions_of_school on teacher_questions (school_id, season);
-- The same question of a school counts once; a declined one may be sent again.
create unique index teacher_questions_once on teacher_questions (school_id, season, letter, class_id, md5(lower(question)))
  where state <> 'declined';
create index teacher_questions_queue on teacher_questions (season, state, id);
