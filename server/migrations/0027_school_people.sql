-- An invitation can be sent again: its link is a new one each time, the end moves. The language is that of its mail.
alter table school_invitations add column language text not null default 'en';
alter table school_invitations add column sent_at timestamptz not null default now();
alter table school_invitations alter column sent_at drop default;
alter table school_invitations add column times_sent int not null default 1;
create index school_invitations_of_school on school_invitations (school_id);

-- A school's coordinator offers the part to a colleague, who takes it or not. One offer of a school is open at a time.
create table coordinator_offers (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  from_user bigint not null references users (id),
  to_user bigint not null references users (id),
  offered_at timestamptz not null,
  expires_at timestamptz not null,
  -- 'open', 'accepted', 'declined', 'withdrawn'
  state text not null default 'open',
  ended_at timestamptz,
  check (from_user <> to_user)
);
create unique index coordinator_offers_open on coordinator_offers (school_id) where state = 'open';

-- Who was removed from a school comes back by an invitation alone, not by the access code of its letter.
create table school_departures (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  user_id bigint not null references users (id),
  removed_by_user bigint references users (id),
  removed_by_staff bigint references staff (id),
  reason text not null default '',
  removed_at timestamptz not null,
  -- Invited again since
  returned_at timestamptz
);
create index school_departures_of_user on school_departures (user_id, school_id) where returned_at is null;
create index school_departures_of_school on school_departures (school_id, removed_at desc);
