-- A mail that had left and came back, as the provider of the mail server has told.
create table mail_bounces (
  outbox_id bigint primary key references outbox (id) on delete cascade,
  at timestamptz not null,
  -- 5.1.1 (RFC 3463), and what the other mail server has answered, without addresses
  status text not null,
  reason text not null
);

-- Addresses of schools and of their people that e-mails come back from, until one arrives there again. Who changes theirs
-- leaves it behind.
create table bounced_addresses (
  address text primary key,
  at timestamptz not null,
  status text not null
);
