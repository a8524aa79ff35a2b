-- What the office sets of the foundation: how it is called and written to, how it looks, how it is reached, and the
-- limits that it may move. Each part has a version of its own, so that two officers who change two parts are both right.
alter table foundation
  -- As it stands in page heads and on papers where room is short; empty: the name
  add column short_name text not null default '',
  -- Lines as they stand on an envelope
  add column postal_address text not null default '',
  add column website text not null default '',
  add column support_hours_hi text not null default '',
  add column logo_width int not null default 0,
  add column logo_height int not null default 0,
  -- {"importRows": 2000, ...}: those alone that differ from what is built in
  add column limits jsonb not null default '{}',
  add column identity_version int not null default 1,
  add column logo_version int not null default 1,
  add column colour_version int not null default 1,
  add column support_version int not null default 1,
  add column limits_version int not null default 1,
  -- The tones of the dark theme are derived from the one colour
  drop column colour_dark;
