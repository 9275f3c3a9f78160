-- What people write about a shipment, or about one container of it. Shipments are made anew by a rebuild under the same
-- ids, so a note has no foreign key to them.
create table notes (
  account_id uuid not null references accounts (id),
  id uuid not null,
  shipment_id uuid not null,
  -- Null: about the shipment as a whole.
  container_id uuid,
  text text not null,
  created_by jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
);
create index notes_of_shipment on notes (account_id, shipment_id, created_at desc, id);
