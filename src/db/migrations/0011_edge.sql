-- What an account may ask more or less of than the settings say. 0 is no limit.
create table rate_limits (
  account_id uuid not null references accounts (id),
  bucket text not null,
  per_minute integer not null check (per_minute >= 0),
  updated_at timestamptz not null,
  primary key (account_id, bucket)
);

-- The accepted turns of the last minute, in microseconds since 1970, the oldest first: one row an account and bucket,
-- whose lock makes the count exact. Unlogged: nothing is forced to disk for a turn, and a crash of the database forgets
-- a minute of them. The free half of each page keeps the updates on it.
create unlogged table rate_windows (
  account_id uuid not null,
  bucket text not null,
  accepted bigint[] not null,
  taken integer not null,
  asked_at bigint not null,
  primary key (account_id, bucket)
) with (fillfactor = 50);

-- A POST that was sent with an Idempotency-Key: leased while it runs, then its answer, sealed, for 24 hours.
create table idempotency_keys (
  account_id uuid not null references accounts (id),
  route text not null,
  key text not null,
  fingerprint bytea not null,
  scopes text[] not null,
  created_at timestamptz not null,
  lease_token uuid,
  leased_until timestamptz,
  status smallint,
  headers jsonb,
  body_sealed bytea,
  primary key (account_id, route, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);
