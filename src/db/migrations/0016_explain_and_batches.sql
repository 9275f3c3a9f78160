-- What explains: the entries of one request or shipment are found without reading the whole ledger of its account.
create index ledger_of_request on ledger (account_id, tracking_request_id, position) where tracking_request_id is not null;
create index ledger_of_shipment on ledger (account_id, shipment_id, position) where shipment_id is not null;

-- When the look ended, on the journey clock; null for looks from before. The sandbox's days are seconds of the real clock.
alter table looks add column attempted_at timestamptz;

-- Tracking requests asked for by the thousand: what the rate limit does not let through at once waits here, in order.
create table request_batches (
  account_id uuid not null references accounts (id),
  id uuid not null,
  -- Of whoever asked: the requests are made in their name.
  actor jsonb not null,
  scopes text[] not null,
  request_id text not null,
  items_total integer not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);

create table request_batch_items (
  account_id uuid not null,
  batch_id uuid not null,
  -- Place in the batch, from 0.
  place integer not null,
  -- What was asked for, as it was read.
  input jsonb not null,
  status text not null check (status in ('queued', 'created', 'refused')),
  -- The request's id, given before it is made: so that it is made once, whatever is cut off.
  tracking_request_id uuid not null,
  -- Why it was refused: codes, details and pointers, as a single request would have been told.
  errors jsonb,
  -- When its turn comes at the earliest, real clock.
  due_at timestamptz,
  leased_until timestamptz,
  settled_at timestamptz,
  primary key (account_id, batch_id, place),
  foreign key (account_id, batch_id) references request_batches (account_id, id)
);
create index request_batch_items_queued on request_batch_items (account_id, batch_id, place) where status = 'queued';
create index request_batches_newest on request_batches (account_id, created_at desc);
