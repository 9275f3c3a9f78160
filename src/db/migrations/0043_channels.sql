-- A channel is one way in: who speaks, in which language, asked or told. What was the access to a line is one that is asked.
alter table credentials rename to channels;
alter table channels
  add column name text unique,
  add column speaker_kind text not null default 'shipping_line',
  add column is_asked boolean not null default true,
  add column is_told boolean not null default false,
  add column is_first_hand boolean not null default true,
  add column acknowledges text not null default 'off' check (acknowledges in ('off', '997', '999', 'contrl')),
  -- Interchanges of ours to this partner so far: each takes the next number.
  add column acknowledgements integer not null default 0,
  add constraint channels_speaker_check check (speaker_kind in ('shipping_line', 'terminal', 'rail', 'user')),
  add constraint channels_told_check check (not is_told or name is not null);
drop index credentials_one_per_line;
-- Told there may be many ways; asked a line is by one.
create unique index channels_one_asked on channels (scac, is_fiction, account_id) nulls not distinct where is_asked;
-- Under the old name for a program of before that is still at work.
create view credentials as
  select id, account_id, scac, source, profile, secret_sealed, is_fiction, is_enabled, next_slot_at, created_at,
         left_alone_until, refusals
    from channels where is_asked;

-- Several at a time, so that a key can be changed without a gap.
create table channel_keys (
  channel_id uuid not null references channels (id),
  id uuid not null,
  kind text not null check (kind in ('bearer', 'hmac')),
  -- Of a bearer key its HMAC; an HMAC secret is sealed, for it has to be known.
  token_hmac bytea,
  secret_sealed bytea,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (channel_id, id)
);
create unique index channel_keys_token on channel_keys (token_hmac) where token_hmac is not null;

-- A signature counts once.
create table channel_signatures (
  channel_id uuid not null references channels (id),
  signature bytea not null,
  seen_at timestamptz not null,
  primary key (channel_id, signature)
);
create index channel_signatures_old on channel_signatures (seen_at);

-- What came through a channel, verbatim.
create table inbound_messages (
  id uuid primary key,
  channel_id uuid not null references channels (id),
  -- Of the channel; null when it speaks to the whole installation.
  account_id uuid references accounts (id),
  idempotency_key text,
  content_type text,
  content_hash bytea not null,
  body bytea,
  byte_count integer not null,
  received_at timestamptz not null,
  parts integer not null,
  -- A delivery of very many parts is taken in by several transactions.
  parts_taken integer not null default 0,
  faults jsonb not null,
  acknowledgement bytea
);
create unique index inbound_messages_once on inbound_messages (channel_id, idempotency_key) where idempotency_key is not null;
create index inbound_messages_of_channel on inbound_messages (channel_id, received_at desc, id);
create index inbound_messages_of_account on inbound_messages (account_id, received_at desc, id) where account_id is not null;

-- This snapshot speaks of that subject, delivered under this key.
create table mentions (
  id uuid primary key,
  message_id uuid not null references inbound_messages (id),
  channel_id uuid not null references channels (id),
  account_id uuid references accounts (id),
  subject_id uuid not null references subjects (id),
  snapshot_id uuid not null references snapshots (id),
  part integer not null,
  delivery_key text not null,
  stands_at timestamptz not null,
  received_at timestamptz not null,
  about jsonb not null,
  ranges jsonb not null,
  -- Has something in it that no reader understands yet.
  is_unmapped boolean not null,
  matched_at timestamptz,
  unique (subject_id, delivery_key)
);
create index mentions_unmatched on mentions (id) where matched_at is null;
create index mentions_of_message on mentions (message_id, part);

create table mention_numbers (
  kind text not null,
  number text not null,
  mention_id uuid not null references mentions (id),
  account_id uuid,
  received_at timestamptz not null,
  primary key (kind, number, mention_id)
);

-- Who heard it: each shipment, and each request that was found by it, once.
create table hearings (
  account_id uuid not null references accounts (id),
  shipment_id uuid not null,
  mention_id uuid not null references mentions (id),
  heard_at timestamptz not null,
  primary key (account_id, shipment_id, mention_id)
);
create index hearings_of_mention on hearings (mention_id);

-- The bills and bookings that a shipment is known by, as anybody may write them.
create table shipment_documents (
  account_id uuid not null references accounts (id),
  number text not null,
  kind text not null,
  shipment_id uuid not null,
  primary key (account_id, number, kind, shipment_id)
);
create index shipment_documents_of_all on shipment_documents (number, kind);
insert into shipment_documents (account_id, number, kind, shipment_id)
select distinct s.account_id, n.number, said.kind, s.id
  from shipments s,
       lateral (values ('bill_of_lading', s.projection ->> 'billOfLadingNumber'),
                       ('booking', s.projection ->> 'bookingNumber')) as said (kind, text),
       upper(regexp_replace(said.text, '[^A-Za-z0-9]', '', 'g')) as tidied,
       lateral (values (tidied), (regexp_replace(tidied, '^' || s.scac, '')),
                       (s.scac || regexp_replace(tidied, '^' || s.scac, ''))) as n (number)
 where said.text is not null and n.number <> '';

-- A shipment or a request has become known by numbers that messages may wait for.
create table joins (
  account_id uuid not null references accounts (id),
  id uuid not null,
  kind text not null check (kind in ('shipment', 'request')),
  noted_at timestamptz not null,
  primary key (account_id, id)
);
