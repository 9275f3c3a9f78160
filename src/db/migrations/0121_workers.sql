-- The processes that take leases, one row each. A lease names its holder by its token, so that the living take over at
-- once what a dead process held. These four queues had leases without tokens.
create table workers (
  id integer generated always as identity primary key,
  sessions text not null,
  host text not null,
  pid integer not null,
  role text not null,
  version text not null,
  started_at timestamptz not null,
  heartbeat_at timestamptz not null
);
alter table imports add column lease_token uuid;
alter table request_batch_items add column lease_token uuid;
alter table code_rereads add column lease_token uuid;
alter table wanted_requests add column lease_token uuid;
