-- What the authorization server keeps. No token, code or secret stands here as it was given out: ids are HMACs under the
-- installation's secret, and payloads are sealed.

-- Which app a person has let into which account, and how far.
create table oauth_grants (
  account_id      uuid not null references accounts,
  id              uuid not null unique,
  user_id         uuid not null references users,
  -- Of a registered client its id, else the address of its metadata document.
  client_id       text not null,
  client_name     text not null,
  redirect_host   text not null,
  scopes          text[] not null,
  resources       text[] not null,
  -- The person let it into all of their accounts; account_id is then the one it works for when it names none.
  spans_accounts  boolean not null,
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  last_used_at    timestamptz,
  revoked_at      timestamptz,
  primary key (account_id, id)
);
create index oauth_grants_of_user on oauth_grants (user_id, created_at desc);
create index oauth_grants_of_client on oauth_grants (client_id);

-- Codes, tokens and sign-ins under way.
create table oauth_entries (
  kind            text not null,
  id_hmac         bytea not null,
  payload_sealed  bytea not null,
  grant_id        uuid,
  -- Of access tokens, so that a check opens nothing.
  audience        text,
  scope           text,
  expires_at      timestamptz,
  consumed_at     timestamptz,
  primary key (kind, id_hmac)
);
create index oauth_entries_of_grant on oauth_entries (grant_id) where grant_id is not null;
create index oauth_entries_expiry on oauth_entries (expires_at);

-- Clients that registered themselves (RFC 7591).
create table oauth_clients (
  id               text primary key,
  metadata_sealed  bytea not null,
  created_at       timestamptz not null,
  -- When a person last let it in.
  last_used_at     timestamptz not null
);
create index oauth_clients_unused on oauth_clients (last_used_at);
