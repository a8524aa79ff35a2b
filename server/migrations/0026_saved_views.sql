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
