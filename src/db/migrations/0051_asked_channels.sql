-- A channel that is told may be asked as well: how, by which kinds of number, when it last answered, and what is wrong.
alter table channels
  add column asking jsonb,
  add column asks_by text[] not null default '{}',
  add column answered_at timestamptz,
  add column asking_trouble text,
  add constraint channels_asking_check check (asking is null or is_told);
create index channels_asked_too on channels (account_id) where asking is not null;

-- What a channel is asked about: a row for each number as long as it is tracked or searched for.
create table asked_numbers (
  channel_id uuid not null references channels (id),
  kind text not null,
  number text not null,
  next_ask_at timestamptz not null,
  lease_token uuid,
  leased_until timestamptz,
  failures integer not null default 0,
  asked_at timestamptz,
  succeeded_at timestamptz,
  -- Of the last whole answer: the same again says nothing new.
  answer_hash bytea,
  primary key (channel_id, kind, number)
);
create index asked_numbers_due on asked_numbers (channel_id, next_ask_at, number);
create index asked_numbers_leased on asked_numbers (channel_id, leased_until) where lease_token is not null;
