-- The secret half of the address of a result's public page; whoever holds it reads that page. Renewing it ends the address.
alter table results add column link_secret uuid not null default gen_random_uuid();

-- The number printed on the certificate of a child in an event: random, so that none can be guessed from another. What
-- is certified is not kept: it is the released result of the moment.
create table certificates (
  number text primary key,
  student_id bigint not null references students (id),
  event_id bigint not null references events (id),
  created_at timestamptz not null,
  unique (student_id, event_id)
);
