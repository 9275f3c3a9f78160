-- Named views of the lists of shipments and containers.
create table saved_views (
  account_id uuid not null references accounts (id),
  id uuid not null,
  name text not null,
  -- Which list it is a view of: `shipments` or `containers`.
  list text not null,
  -- Parameters of the list by their names, as they are in an address.
  query jsonb not null,
  columns text[] not null,
  -- The person who alone sees it. Null: the whole account sees it.
  owner_id uuid,
  created_by jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_changed_by jsonb not null,
  primary key (account_id, id)
);
