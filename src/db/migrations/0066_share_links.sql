-- Links by which people without an account see one shipment, or what a saved view lists. Of the token only its HMAC is
-- kept, so a link can be read nowhere after it was made. A link that is withdrawn is deleted.
create table share_links (
  account_id uuid not null references accounts (id),
  id uuid not null,
  token_hmac bytea not null unique,
  name text not null,
  -- One of the two. A rebuild makes shipments anew under the same ids, so there is no foreign key to them.
  shipment_id uuid,
  saved_view_id uuid,
  -- How the page looks: its name and its colour, as #rrggbb.
  company_name text,
  color text,
  -- Origins of pages that may show it in a frame or fetch it.
  allowed_origins text[] not null,
  expires_at timestamptz not null,
  -- Written at most once a minute, so approximate.
  opened_count bigint not null default 0,
  last_opened_at timestamptz,
  created_by jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_changed_by jsonb not null,
  primary key (account_id, id),
  foreign key (account_id, saved_view_id) references saved_views (account_id, id) on delete cascade,
  check (num_nonnulls(shipment_id, saved_view_id) = 1)
);
create index share_links_of_view on share_links (account_id, saved_view_id) where saved_view_id is not null;
