-- People: who may sign in, to which accounts they belong as what, and what they hold open. Times are of the real clock.
-- No token is kept as it was given out: only its HMAC under the installation's secret.

create table users (
  id                   uuid primary key,
  -- As it was written; email_key is what it is found by: in small letters.
  email                text not null,
  email_key            text not null unique,
  name                 text not null,
  -- argon2id in the PHC format.
  password_hash        text not null,
  password_changed_at  timestamptz not null,
  -- The secret of the one-time codes: in force, and one that waits for its first code.
  totp_sealed          bytea,
  totp_pending_sealed  bytea,
  -- The newest time step whose code was accepted: neither it nor an older one is accepted again.
  totp_last_step       bigint,
  created_at           timestamptz not null,
  updated_at           timestamptz not null
);

-- Codes for the day the device with the one-time codes is lost, each good once.
create table recovery_codes (
  user_id    uuid not null references users,
  code_hmac  bytea not null,
  used_at    timestamptz,
  primary key (user_id, code_hmac)
);

create table memberships (
  account_id  uuid not null references accounts,
  user_id     uuid not null references users,
  role        text not null check (role in ('read_only', 'member', 'admin', 'owner')),
  created_at  timestamptz not null,
  primary key (account_id, user_id)
);
create index memberships_of_user on memberships (user_id, account_id);

create table invitations (
  account_id   uuid not null references accounts,
  id           uuid not null,
  email        text not null,
  email_key    text not null,
  role         text not null check (role in ('read_only', 'member', 'admin', 'owner')),
  token_hmac   bytea not null unique,
  invited_by   uuid not null references users,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  accepted_at  timestamptz,
  revoked_at   timestamptz,
  primary key (account_id, id)
);
create index invitations_open on invitations (account_id, created_at desc)
  where accepted_at is null and revoked_at is null;

create table sessions (
  id            uuid primary key,
  token_hmac    bytea not null unique,
  user_id       uuid not null references users,
  -- The account that the person works for just now.
  account_id    uuid references accounts,
  created_at    timestamptz not null,
  last_seen_at  timestamptz not null,
  expires_at    timestamptz not null,
  revoked_at    timestamptz,
  ip            inet,
  user_agent    text
);
create index sessions_of_user on sessions (user_id, last_seen_at desc);
create index sessions_expiry on sessions (expires_at);

-- A password was right and the one-time code is still to come.
create table sign_in_challenges (
  token_hmac     bytea primary key,
  user_id        uuid not null references users,
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  attempts_left  smallint not null
);

create table password_resets (
  token_hmac  bytea primary key,
  user_id     uuid not null references users,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  used_at     timestamptz
);
create index password_resets_of_user on password_resets (user_id);

-- What was tried of late, by what it is counted under (an address, an e-mail address, a device), each as a hash.
create table attempts (
  subject   bytea primary key,
  tried_at  timestamptz[] not null,
  last_at   timestamptz not null
);
create index attempts_last_at on attempts (last_at);

-- Keys that a web page may show: they read what is embedded, and only from the page's own origin.
alter table api_keys add column kind text not null default 'secret' check (kind in ('secret', 'publishable'));
alter table api_keys add column allowed_origins text[] not null default '{}';
alter table api_keys add column created_by uuid references users;
alter table api_keys add column last_used_ip inet;
create index api_keys_newest on api_keys (account_id, created_at desc, id);
