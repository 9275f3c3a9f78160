-- The tables of Landfall. Every tenant table leads with account_id; ids of what the ledger yields are name-based,
-- so no default ever makes one up. Times are the journey clock's unless the name says otherwise.

create table accounts (
  id            uuid primary key,
  company_name  text not null,
  -- Fiction lives in accounts of its own: looks go to the sandbox and times follow the sandbox's clock.
  is_fiction    boolean not null,
  created_at    timestamptz not null
);

create table api_keys (
  account_id    uuid not null references accounts,
  id            uuid not null,
  name          text not null,
  prefix        text not null,
  last_four     text not null,
  key_hmac      bytea not null unique,
  scopes        text[] not null,
  created_at    timestamptz not null,
  last_used_at  timestamptz,
  expires_at    timestamptz,
  revoked_at    timestamptz,
  primary key (account_id, id)
);

-- Small things that must survive a restart: the sandbox's anchor, the first account.
create table settings (
  name   text primary key,
  value  jsonb not null
);

-- How a line is asked: whose access, over which source, with which profile. account_id null: the operator's, for all.
create table credentials (
  id             uuid primary key,
  account_id     uuid references accounts,
  scac           text not null,
  source         text not null,
  profile        jsonb not null,
  secret_sealed  bytea,
  is_fiction     boolean not null,
  is_enabled     boolean not null default true,
  -- Real clock: the earliest moment of the next request under the line's rate limit (GCRA).
  next_slot_at   timestamptz not null default '-infinity',
  created_at     timestamptz not null
);
create unique index credentials_one_per_line on credentials (scac, is_fiction, account_id) nulls not distinct;

-- What is looked at: one number at one line under one credential, shared by all accounts that ask for it.
create table subjects (
  id               uuid primary key,
  credential_id    uuid not null references credentials,
  scac             text not null,
  kind             text not null check (kind in ('container', 'bill_of_lading', 'booking')),
  number           text not null,
  created_at       timestamptz not null,
  -- Real clock. Null: nobody wants it looked at.
  next_look_at     timestamptz,
  lease_token      uuid,
  leased_until     timestamptz,
  -- Journey clock.
  last_attempted_at timestamptz,
  last_succeeded_at timestamptz,
  last_snapshot_id uuid,
  -- The last answer left something out: the next valid one is absorbed even when it is the same bytes.
  is_unconfirmed   boolean not null default false,
  failures         integer not null default 0,
  unique (credential_id, kind, number)
) with (fillfactor = 80);
create index subjects_due on subjects (next_look_at) where next_look_at is not null;

-- What a source answered, verbatim, once per content.
create table snapshots (
  id            uuid primary key,
  subject_id    uuid not null references subjects,
  content_hash  bytea not null,
  status        integer not null,
  content_type  text,
  body          bytea not null,
  recorded_at   timestamptz not null,
  unique (subject_id, content_hash)
);

-- Every time a source was asked, and how its answer was classed.
create table looks (
  subject_id   uuid not null references subjects,
  id           uuid not null,
  -- Journey clock.
  started_at   timestamptz not null,
  -- Real clock.
  ended_at     timestamptz not null,
  duration_ms  integer not null,
  outcome      text not null,
  status_code  integer,
  detail       text,
  snapshot_id  uuid,
  is_unchanged boolean not null,
  primary key (subject_id, id)
);
create index looks_latest on looks (subject_id, ended_at desc);

create table shipments (
  account_id             uuid not null references accounts,
  id                     uuid not null,
  scac                   text not null,
  bill_of_lading_number  text not null,
  normalized_number      text not null,
  ref_numbers            text[] not null default '{}',
  tags                   text[] not null default '{}',
  -- core's ShipmentProjection without its containers.
  projection             jsonb not null,
  tracking_stopped_at     timestamptz,
  tracking_stopped_reason text,
  -- Journey clock: when a decision falls due though nobody speaks (a debounce, an end of tracking).
  timer_at               timestamptz,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  primary key (account_id, id),
  unique (account_id, scac, normalized_number)
) with (fillfactor = 80);
create index shipments_newest on shipments (account_id, created_at desc, id);
create index shipments_timer on shipments (timer_at) where timer_at is not null;

create table tracking_requests (
  account_id      uuid not null references accounts,
  id              uuid not null,
  request_type    text not null check (request_type in ('bill_of_lading', 'booking_number', 'container')),
  request_number  text not null,
  -- The number as the line is asked for it.
  number          text not null,
  scac            text,
  subject_id      uuid references subjects,
  shipment_id     uuid,
  status          text not null
    check (status in ('pending', 'awaiting_manifest', 'created', 'failed', 'tracking_stopped')),
  failed_reason   text,
  -- core's lifecycle state; status, failed_reason and the retry fields are read off it.
  lifecycle       jsonb not null,
  is_retrying     boolean not null default false,
  retry_count     integer,
  ref_numbers     text[] not null default '{}',
  shipment_tags   text[] not null default '{}',
  timer_at        timestamptz,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, shipment_id) references shipments
) with (fillfactor = 80);
create index tracking_requests_newest on tracking_requests (account_id, created_at desc, id);
create index tracking_requests_of_subject on tracking_requests (subject_id);
create index tracking_requests_of_shipment on tracking_requests (account_id, shipment_id);
create index tracking_requests_timer on tracking_requests (timer_at) where timer_at is not null;
-- A second request for what is being tracked is refused; two at the same moment as well.
create unique index tracking_requests_live on tracking_requests (account_id, scac, request_type, number)
  where status in ('pending', 'awaiting_manifest', 'created') and scac <> 'TEST';

create table containers (
  account_id   uuid not null references accounts,
  id           uuid not null,
  shipment_id  uuid not null,
  number       text not null,
  trip         integer not null,
  status       text not null,
  ref_numbers  text[] not null default '{}',
  -- core's ContainerProjection.
  projection   jsonb not null,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  primary key (account_id, id),
  unique (account_id, shipment_id, number, trip),
  foreign key (account_id, shipment_id) references shipments
) with (fillfactor = 80);
create index containers_freshest on containers (account_id, updated_at desc, id);
create index containers_by_number on containers (account_id, number);

-- The append-only ledger of one account: everything that a projection is a fold of.
create table ledger (
  position            bigint generated always as identity primary key,
  account_id          uuid not null references accounts,
  kind                text not null,
  tracking_request_id uuid,
  shipment_id         uuid,
  subject_id          uuid,
  snapshot_id         uuid,
  -- Which reader read the snapshot, e.g. dcsa/1.
  reader              text,
  recorded_at         timestamptz not null,
  payload             jsonb not null
);
create index ledger_of_account on ledger (account_id, position);

-- What was read, per account: one row for each distinct statement of a source.
create table claims (
  account_id         uuid not null references accounts,
  id                 uuid not null,
  -- Exactly one of these: said under a subject, or by a user about a shipment.
  subject_id         uuid,
  shipment_id        uuid,
  source_kind        text not null,
  source_code        text not null,
  source_key         text not null,
  equipment          text,
  observation        jsonb not null,
  first_snapshot_id  uuid,
  -- The first answer that no longer said so; null while the source says it.
  gone_snapshot_id   uuid,
  reader             text not null,
  read_at            timestamptz not null,
  recorded_at        timestamptz not null,
  -- Left out of a whole picture once, at this time; left out of the next one too, it is retired.
  missing_since      timestamptz,
  retired_at         timestamptz,
  primary key (account_id, id)
) with (fillfactor = 80);
create index claims_of_subject on claims (account_id, subject_id, recorded_at);
create index claims_of_shipment on claims (account_id, shipment_id) where shipment_id is not null;

-- What could not be read or believed: counted and kept, never fatal.
create table issues (
  account_id   uuid not null references accounts,
  id           uuid not null,
  subject_id   uuid,
  shipment_id  uuid,
  snapshot_id  uuid,
  kind         text not null,
  detail       text not null,
  claim_id     uuid,
  times        integer not null default 1,
  first_at     timestamptz not null,
  last_at      timestamptz not null,
  primary key (account_id, id)
);
create index issues_of_subject on issues (account_id, subject_id);

-- The rows behind `transport_event`: milestones, estimates, free-time changes; a replaced one stays, invalidated.
create table transport_events (
  account_id           uuid not null references accounts,
  id                   uuid not null,
  shipment_id          uuid not null,
  container_id         uuid not null,
  event                text not null,
  -- Order within the container's journey when times are equal.
  call_key             text,
  occurs_at            timestamptz,
  time_zone            text,
  unlocode             text,
  terminal_id          uuid,
  vessel_imo           text,
  vessel_name          text,
  voyage_number        text,
  data_source          text not null,
  value                text,
  source_claim_id      uuid,
  previous_version_id  uuid,
  -- core's Milestone; null for the rows that only carry a value.
  milestone            jsonb,
  created_at           timestamptz not null,
  invalidated_at       timestamptz,
  primary key (account_id, id)
) with (fillfactor = 80);
create index transport_events_of_container on transport_events (account_id, container_id, occurs_at);
create index transport_events_of_shipment on transport_events (account_id, shipment_id);

-- What subscribers hear. Part of the ledger: written once, never made again. The sequence is given by the sequencer.
create table events (
  account_id           uuid not null references accounts,
  id                   uuid not null,
  -- Order of writing; within one shipment also the order of what happened.
  ordinal              bigint generated always as identity,
  sequence             bigint,
  name                 text not null,
  reference_type       text not null,
  reference_id         uuid not null,
  tracking_request_id  uuid,
  shipment_id          uuid,
  container_id         uuid,
  -- Attributes of the reference object where no row of its own holds them (changeset, estimate …).
  payload              jsonb not null,
  created_at           timestamptz not null,
  primary key (account_id, id)
);
create index events_unnumbered on events (ordinal) where sequence is null;
create unique index events_in_sequence on events (account_id, sequence) where sequence is not null;

create table event_counters (
  account_id     uuid primary key references accounts,
  last_sequence  bigint not null
);

create table webhooks (
  account_id       uuid not null references accounts,
  id               uuid not null,
  url              text not null,
  is_active        boolean not null,
  events           text[] not null,
  headers          jsonb,
  -- Real clock: since when nothing but failures came back.
  failing_since    timestamptz,
  disabled_reason  text,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  primary key (account_id, id)
);

create table webhook_secrets (
  account_id     uuid not null,
  webhook_id     uuid not null,
  id             uuid not null,
  secret_sealed  bytea not null,
  created_at     timestamptz not null,
  expires_at     timestamptz,
  primary key (account_id, webhook_id, id),
  foreign key (account_id, webhook_id) references webhooks on delete cascade
);

create table webhook_notifications (
  account_id       uuid not null,
  id               uuid not null,
  webhook_id       uuid not null,
  event_id         uuid not null,
  event            text not null,
  sequence         bigint not null,
  -- Deliveries of one lane (a shipment, else a request) to one webhook go out first time in order.
  lane_id          uuid not null,
  delivery_status  text not null default 'pending' check (delivery_status in ('pending', 'succeeded', 'failed')),
  attempts         integer not null default 0,
  -- Real clock.
  next_attempt_at  timestamptz,
  lease_token      uuid,
  leased_until     timestamptz,
  -- The signed bytes, made at the first attempt and sent unchanged on every later one.
  body             bytea,
  created_at       timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, webhook_id) references webhooks on delete cascade
) with (fillfactor = 80);
create index webhook_notifications_due on webhook_notifications (next_attempt_at) where delivery_status = 'pending';
create index webhook_notifications_lane on webhook_notifications (webhook_id, lane_id, sequence)
  where delivery_status = 'pending' and attempts = 0;
create index webhook_notifications_newest on webhook_notifications (account_id, created_at desc, id);

create table webhook_notification_logs (
  account_id       uuid not null,
  notification_id  uuid not null,
  id               uuid not null,
  attempt          integer not null,
  status_code      integer,
  error            text,
  address          text,
  duration_ms      integer not null,
  response_body    text,
  created_at       timestamptz not null,
  next_attempt_at  timestamptz,
  primary key (account_id, notification_id, id),
  foreign key (account_id, notification_id) references webhook_notifications on delete cascade
);

-- Work between a look and its projection, one row per account's request, taken in order and removed when done.
create table tasks (
  id                   bigint generated always as identity primary key,
  account_id           uuid not null references accounts,
  tracking_request_id  uuid not null,
  kind                 text not null,
  subject_id           uuid,
  snapshot_id          uuid,
  payload              jsonb not null,
  -- Real clock.
  not_before           timestamptz not null default '-infinity',
  lease_token          uuid,
  leased_until         timestamptz,
  attempts             integer not null default 0,
  last_error           text
);
create index tasks_of_request on tasks (tracking_request_id, id);
