-- What is unknown in a message of an account's channel becomes a tracking request of that account.
alter table channels add column creates_requests boolean not null default false;
alter table channels add column creates_per_day integer not null default 1000 check (creates_per_day > 0);
alter table channels add constraint channels_creating_check check (not creates_requests or is_told and account_id is not null);

-- Requests whose line is not asked but only heard: a channel that can be asked may come later.
create table told_requests (
  account_id uuid not null references accounts (id),
  tracking_request_id uuid not null,
  scac text not null,
  is_fiction boolean not null,
  primary key (account_id, tracking_request_id)
);
create index told_requests_of_line on told_requests (scac, is_fiction, account_id);

-- What nobody knew in a part of a delivery, and the request that was made of it.
create table wanted_requests (
  mention_id uuid primary key references mentions (id),
  channel_id uuid not null references channels (id),
  account_id uuid not null references accounts (id),
  kind text not null,
  number text not null,
  status text not null default 'waiting' check (status in ('waiting', 'made', 'known', 'refused')),
  -- Why it waits or was refused, in words.
  reason text,
  not_before timestamptz not null,
  tracking_request_id uuid,
  noted_at timestamptz not null,
  made_at timestamptz
);
create index wanted_requests_due on wanted_requests (not_before) where status = 'waiting';
create index wanted_requests_of_channel on wanted_requests (channel_id, made_at) where status = 'made';
create index wanted_requests_made on wanted_requests (account_id, tracking_request_id) where tracking_request_id is not null;

-- Accounts to which a channel of the whole installation tells what fetches the cargo, too.
create table channel_accounts (
  channel_id uuid not null references channels (id),
  account_id uuid not null references accounts (id),
  bound_at timestamptz not null,
  primary key (channel_id, account_id)
);
