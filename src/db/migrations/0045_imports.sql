-- How an account's own tables are read: headings by field, the form of its days.
create table column_maps (
  account_id uuid not null references accounts (id),
  id uuid not null,
  name text not null,
  -- As it was sent.
  map jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_changed_by jsonb not null,
  primary key (account_id, id),
  unique (account_id, name)
);

-- Tables of tracking requests: their rows are handed over to batches of requests, a thousand at a time.
create table imports (
  account_id uuid not null references accounts (id),
  id uuid not null,
  -- Of whoever sent it: the requests are made in their name.
  actor jsonb not null,
  scopes text[] not null,
  request_id text not null,
  file_name text,
  file_sha256 text not null,
  -- Kind, encoding, separator, sheet, the row of the headings and what each column was taken for.
  reading jsonb not null,
  map_name text,
  is_rehearsal boolean not null,
  rows_total integer not null,
  created_at timestamptz not null,
  -- Place of the first row that is not handed over yet; null when all are.
  next_place integer,
  due_at timestamptz not null,
  leased_until timestamptz,
  primary key (account_id, id)
);
create index imports_open on imports (due_at) where next_place is not null;

create table import_rows (
  account_id uuid not null,
  import_id uuid not null,
  -- Among the rows that have something in them, from 0.
  place integer not null,
  -- In the file, from 1, as a spreadsheet program counts.
  row_number integer not null,
  -- Texts by field.
  read jsonb not null,
  -- The request that it asks for; null when it asks for none.
  input jsonb,
  -- Field from which the number was taken.
  number_field text,
  -- Why it was refused when it was read, or when it was rehearsed.
  errors jsonb,
  is_rehearsed boolean not null default false,
  -- Where it was handed over to: the item there says what became of it.
  batch_id uuid,
  batch_place integer,
  primary key (account_id, import_id, place),
  foreign key (account_id, import_id) references imports (account_id, id),
  foreign key (account_id, batch_id, batch_place) references request_batch_items (account_id, batch_id, place)
);
