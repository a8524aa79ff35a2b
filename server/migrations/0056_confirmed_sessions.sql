-- When the officer of a session last proved a password or a second factor: what is hard to undo asks for it anew.
alter table sessions add column confirmed_at timestamptz;
