-- Tokens of sessions that stay signed in: each day of use brings a new one. `sessions.token_hash`, of the first, names the session.
create table session_tokens (
  token_hash text primary key,
  session_hash text not null references sessions (token_hash) on delete cascade,
  made_at timestamptz not null,
  -- The first use of a new token is what replaces those before it: an answer may be lost on its way
  used_at timestamptz,
  replaced_at timestamptz
);
create index session_tokens_of_session on session_tokens (session_hash);
-- When the next token is offered; null: never
alter table sessions add column token_due_at timestamptz;
-- Why it ended: a token that was replaced long ago came back
alter table sessions add column reused_at timestamptz;
