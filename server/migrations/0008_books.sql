-- Copies of books that a school orders for its library: one line for each book of a class, with price and retained
-- share (paise, each copy) as they were when the line was saved. Lines are never removed: one that was taken back is
-- kept as not active, because a rejected payment may name it.
create table library_lines (
  id bigint generated always as identity primary key,
  school_id bigint not null references schools (id),
  season text not null references seasons (label),
  event_id bigint not null references events (id),
  class_id int not null,
  kind text not null,
  quantity int not null check (quantity > 0),
  price int not null,
  retained int not null,
  active boolean not null default true,
  -- The payment that covers the line while it is pending or verified: a line has one place for it, so nothing is paid twice
  payment_id bigint,
  -- That payment is verified
  paid boolean not null default false check (not paid or payment_id is not null),
  created_by bigint not null references users (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version int not null default 1
);
create index library_lines_of_school on library_lines (school_id, season);
create index library_lines_of_payment on library_lines (payment_id) where payment_id is not null;
-- A book stands in the order once until it is paid; further copies are a line of their own after that.
create unique index library_lines_once on library_lines (school_id, event_id, class_id, kind) where active and not paid;
