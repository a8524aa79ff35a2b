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
  seen_at timestamptz not null
);
