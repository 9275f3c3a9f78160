-- Keys with which evidence is signed. None is ever deleted: what it signed is to be checked for ever.
create table evidence_keys (
  kid text primary key,
  key_sealed bytea not null,
  -- JWK.
  public_key jsonb not null,
  made_at timestamptz not null
);
-- Hashes over what the ledger of an account took in, each naming the one before. No row is ever changed.
create table ledger_roots (
  account_id uuid not null references accounts (id),
  id uuid not null,
  sequence integer not null,
  first_position bigint not null,
  last_position bigint not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  leaf_count integer not null,
  root bytea not null,
  previous_root bytea,
  -- In order, for each leaf: the id of the statement (16 bytes) and its hash (32 bytes).
  leaves bytea not null,
  kid text not null references evidence_keys (kid),
  signature bytea not null,
  made_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, sequence)
);
-- How far the roots of an account go. Positions of the ledger are committed out of order, so a root ends where the ledger
-- ended some minutes before.
create table ledger_root_marks (
  account_id uuid primary key references accounts (id),
  covered_position bigint not null default 0,
  seen_position bigint not null default 0,
  seen_at timestamptz,
  made_at timestamptz,
  due_at timestamptz not null
);
create index ledger_root_marks_due on ledger_root_marks (due_at);
