-- Which party has which role on a shipment, a container or a tracking request. The customer that a request named is not
-- here: the ledger says who it is, and `customer_id` of requests and shipments shows it. Records are made anew by a
-- rebuild under the same ids, so a role has no foreign key to its record.
create table party_roles (
  account_id uuid not null references accounts (id),
  id uuid not null,
  record_type text not null check (record_type in ('shipment', 'container', 'tracking_request')),
  record_id uuid not null,
  role text not null,
  party_id uuid not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, record_id, role, party_id),
  foreign key (account_id, party_id) references parties (account_id, id)
);
create index party_roles_of_party on party_roles (account_id, party_id, role);
