-- What the migrations add up to; written by `npm run schema`, kept current by a test. Comments stand in migrations/.

create table accounts (
  id uuid not null,
  company_name text not null,
  is_fiction boolean not null,
  created_at timestamp with time zone not null,
  constraint accounts_pkey PRIMARY KEY (id)
);

create table api_keys (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  prefix text not null,
  last_four text not null,
  key_hmac bytea not null,
  scopes text[] not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (account_id, id),
  constraint api_keys_key_hmac_key UNIQUE (key_hmac),
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table claims (
  account_id uuid not null,
  id uuid not null,
  subject_id uuid,
  shipment_id uuid,
  source_kind text not null,
  source_code text not null,
  source_key text not null,
  equipment text,
  observation jsonb not null,
  first_snapshot_id uuid,
  gone_snapshot_id uuid,
  reader text not null,
  read_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  missing_since timestamp with time zone,
  retired_at timestamp with time zone,
  constraint claims_pkey PRIMARY KEY (account_id, id),
  constraint claims_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
) with (fillfactor=80);
create index claims_of_shipment on claims USING btree (account_id, shipment_id) WHERE (shipment_id IS NOT NULL);
create index claims_of_subject on claims USING btree (account_id, subject_id, recorded_at);

create table containers (
  account_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  number text not null,
  trip integer not null,
  status text not null,
  ref_numbers text[] default '{}'::text[] not null,
  projection jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint containers_pkey PRIMARY KEY (account_id, id),
  constraint containers_account_id_shipment_id_number_trip_key UNIQUE (account_id, shipment_id, number, trip),
  constraint containers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint containers_account_id_shipment_id_fkey FOREIGN KEY (account_id, shipment_id) REFERENCES shipments(account_id, id)
) with (fillfactor=80);
create index containers_by_number on containers USING btree (account_id, number);
create index containers_freshest on containers USING btree (account_id, updated_at DESC, id);

create table credentials (
  id uuid not null,
  account_id uuid,
  scac text not null,
  source text not null,
  profile jsonb not null,
  secret_sealed bytea,
  is_fiction boolean not null,
  is_enabled boolean default true not null,
  next_slot_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint credentials_pkey PRIMARY KEY (id),
  constraint credentials_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create unique index credentials_one_per_line on credentials USING btree (scac, is_fiction, account_id) NULLS NOT DISTINCT;

create table event_counters (
  account_id uuid not null,
  last_sequence bigint not null,
  constraint event_counters_pkey PRIMARY KEY (account_id),
  constraint event_counters_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table events (
  account_id uuid not null,
  id uuid not null,
  ordinal bigint generated always as identity not null,
  sequence bigint,
  name text not null,
  reference_type text not null,
  reference_id uuid not null,
  tracking_request_id uuid,
  shipment_id uuid,
  container_id uuid,
  payload jsonb not null,
  created_at timestamp with time zone not null,
  constraint events_pkey PRIMARY KEY (account_id, id),
  constraint events_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index events_by_time on events USING brin (created_at);
create unique index events_in_sequence on events USING btree (account_id, sequence) WHERE (sequence IS NOT NULL);
create index events_of_request on events USING btree (account_id, tracking_request_id, sequence) WHERE ((sequence IS NOT NULL) AND (tracking_request_id IS NOT NULL));
create index events_of_shipment on events USING btree (account_id, shipment_id, sequence) WHERE ((sequence IS NOT NULL) AND (shipment_id IS NOT NULL));
create index events_unnumbered on events USING btree (ordinal) WHERE (sequence IS NULL);

create table issues (
  account_id uuid not null,
  id uuid not null,
  subject_id uuid,
  shipment_id uuid,
  snapshot_id uuid,
  kind text not null,
  detail text not null,
  claim_id uuid,
  times integer default 1 not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  constraint issues_pkey PRIMARY KEY (account_id, id),
  constraint issues_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index issues_of_subject on issues USING btree (account_id, subject_id);

create table ledger (
  "position" bigint generated always as identity not null,
  account_id uuid not null,
  kind text not null,
  tracking_request_id uuid,
  shipment_id uuid,
  subject_id uuid,
  snapshot_id uuid,
  reader text,
  recorded_at timestamp with time zone not null,
  payload jsonb not null,
  constraint ledger_pkey PRIMARY KEY ("position"),
  constraint ledger_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index ledger_of_account on ledger USING btree (account_id, "position");
create index ledger_of_subject on ledger USING btree (account_id, subject_id, "position") WHERE (subject_id IS NOT NULL);

create table looks (
  subject_id uuid not null,
  id uuid not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  duration_ms integer not null,
  outcome text not null,
  status_code integer,
  detail text,
  snapshot_id uuid,
  is_unchanged boolean not null,
  constraint looks_pkey PRIMARY KEY (subject_id, id),
  constraint looks_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES subjects(id)
);
create index looks_latest on looks USING btree (subject_id, ended_at DESC);

create table settings (
  name text not null,
  value jsonb not null,
  constraint settings_pkey PRIMARY KEY (name)
);

create table shipments (
  account_id uuid not null,
  id uuid not null,
  scac text not null,
  bill_of_lading_number text not null,
  normalized_number text not null,
  ref_numbers text[] default '{}'::text[] not null,
  tags text[] default '{}'::text[] not null,
  projection jsonb not null,
  tracking_stopped_at timestamp with time zone,
  tracking_stopped_reason text,
  timer_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint shipments_pkey PRIMARY KEY (account_id, id),
  constraint shipments_account_id_scac_normalized_number_key UNIQUE (account_id, scac, normalized_number),
  constraint shipments_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
) with (fillfactor=80);
create index shipments_newest on shipments USING btree (account_id, created_at DESC, id);
create index shipments_timer on shipments USING btree (timer_at) WHERE (timer_at IS NOT NULL);

create table snapshots (
  id uuid not null,
  subject_id uuid not null,
  content_hash bytea not null,
  status integer not null,
  content_type text,
  body bytea not null,
  recorded_at timestamp with time zone not null,
  constraint snapshots_pkey PRIMARY KEY (id),
  constraint snapshots_subject_id_content_hash_key UNIQUE (subject_id, content_hash),
  constraint snapshots_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES subjects(id)
);

create table subjects (
  id uuid not null,
  credential_id uuid not null,
  scac text not null,
  kind text not null,
  number text not null,
  created_at timestamp with time zone not null,
  next_look_at timestamp with time zone,
  lease_token uuid,
  leased_until timestamp with time zone,
  last_attempted_at timestamp with time zone,
  last_succeeded_at timestamp with time zone,
  last_snapshot_id uuid,
  is_unconfirmed boolean default false not null,
  failures integer default 0 not null,
  constraint subjects_pkey PRIMARY KEY (id),
  constraint subjects_credential_id_kind_number_key UNIQUE (credential_id, kind, number),
  constraint subjects_kind_check CHECK ((kind = ANY (ARRAY['container'::text, 'bill_of_lading'::text, 'booking'::text]))),
  constraint subjects_credential_id_fkey FOREIGN KEY (credential_id) REFERENCES credentials(id)
) with (fillfactor=80);
create index subjects_due_of_line on subjects USING btree (credential_id, next_look_at) WHERE (next_look_at IS NOT NULL);
create index subjects_leased on subjects USING btree (credential_id) WHERE (lease_token IS NOT NULL);

create table tasks (
  id bigint generated always as identity not null,
  account_id uuid not null,
  tracking_request_id uuid not null,
  kind text not null,
  subject_id uuid,
  snapshot_id uuid,
  payload jsonb not null,
  not_before timestamp with time zone default '-infinity'::timestamp with time zone not null,
  lease_token uuid,
  leased_until timestamp with time zone,
  attempts integer default 0 not null,
  last_error text,
  constraint tasks_pkey PRIMARY KEY (id),
  constraint tasks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index tasks_of_request on tasks USING btree (tracking_request_id, id);

create table tracking_requests (
  account_id uuid not null,
  id uuid not null,
  request_type text not null,
  request_number text not null,
  number text not null,
  scac text,
  subject_id uuid,
  shipment_id uuid,
  status text not null,
  failed_reason text,
  lifecycle jsonb not null,
  is_retrying boolean default false not null,
  retry_count integer,
  ref_numbers text[] default '{}'::text[] not null,
  shipment_tags text[] default '{}'::text[] not null,
  timer_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint tracking_requests_pkey PRIMARY KEY (account_id, id),
  constraint tracking_requests_request_type_check CHECK ((request_type = ANY (ARRAY['bill_of_lading'::text, 'booking_number'::text, 'container'::text]))),
  constraint tracking_requests_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'awaiting_manifest'::text, 'created'::text, 'failed'::text, 'tracking_stopped'::text]))),
  constraint tracking_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint tracking_requests_account_id_shipment_id_fkey FOREIGN KEY (account_id, shipment_id) REFERENCES shipments(account_id, id),
  constraint tracking_requests_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES subjects(id)
) with (fillfactor=80);
create unique index tracking_requests_live on tracking_requests USING btree (account_id, scac, request_type, number) WHERE ((status = ANY (ARRAY['pending'::text, 'awaiting_manifest'::text, 'created'::text])) AND (scac <> 'TEST'::text));
create index tracking_requests_newest on tracking_requests USING btree (account_id, created_at DESC, id);
create index tracking_requests_of_shipment on tracking_requests USING btree (account_id, shipment_id);
create index tracking_requests_of_subject on tracking_requests USING btree (subject_id);
create index tracking_requests_timer on tracking_requests USING btree (timer_at) WHERE (timer_at IS NOT NULL);

create table transport_events (
  account_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  container_id uuid not null,
  event text not null,
  call_key text,
  occurs_at timestamp with time zone,
  time_zone text,
  unlocode text,
  terminal_id uuid,
  vessel_imo text,
  vessel_name text,
  voyage_number text,
  data_source text not null,
  value text,
  source_claim_id uuid,
  previous_version_id uuid,
  milestone jsonb,
  created_at timestamp with time zone not null,
  invalidated_at timestamp with time zone,
  constraint transport_events_pkey PRIMARY KEY (account_id, id),
  constraint transport_events_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
) with (fillfactor=80);
create index transport_events_of_container on transport_events USING btree (account_id, container_id, occurs_at);
create index transport_events_of_shipment on transport_events USING btree (account_id, shipment_id);

create table webhook_notification_logs (
  account_id uuid not null,
  notification_id uuid not null,
  id uuid not null,
  attempt integer not null,
  status_code integer,
  error text,
  address text,
  duration_ms integer not null,
  response_body text,
  created_at timestamp with time zone not null,
  next_attempt_at timestamp with time zone,
  constraint webhook_notification_logs_pkey PRIMARY KEY (account_id, notification_id, id),
  constraint webhook_notification_logs_account_id_notification_id_fkey FOREIGN KEY (account_id, notification_id) REFERENCES webhook_notifications(account_id, id) ON DELETE CASCADE
);
create index webhook_notification_logs_age on webhook_notification_logs USING btree (created_at);

create table webhook_notifications (
  account_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event text not null,
  sequence bigint not null,
  lane_id uuid not null,
  delivery_status text default 'pending'::text not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone,
  lease_token uuid,
  leased_until timestamp with time zone,
  body bytea,
  created_at timestamp with time zone not null,
  schedule_from integer default 0 not null,
  constraint webhook_notifications_pkey PRIMARY KEY (account_id, id),
  constraint webhook_notifications_delivery_status_check CHECK ((delivery_status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text]))),
  constraint webhook_notifications_account_id_webhook_id_fkey FOREIGN KEY (account_id, webhook_id) REFERENCES webhooks(account_id, id) ON DELETE CASCADE
) with (fillfactor=80);
create index webhook_notifications_lane on webhook_notifications USING btree (webhook_id, lane_id, sequence) WHERE ((delivery_status = 'pending'::text) AND (attempts = 0));
create index webhook_notifications_newest on webhook_notifications USING btree (account_id, created_at DESC, id);
create index webhook_notifications_of_event on webhook_notifications USING btree (account_id, event_id);
create index webhook_notifications_queue on webhook_notifications USING btree (account_id, webhook_id, next_attempt_at) WHERE ((delivery_status = 'pending'::text) AND (next_attempt_at IS NOT NULL));
create index webhook_notifications_with_body on webhook_notifications USING btree (created_at) WHERE ((body IS NOT NULL) AND (delivery_status <> 'pending'::text));

create table webhook_secrets (
  account_id uuid not null,
  webhook_id uuid not null,
  id uuid not null,
  secret_sealed bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  constraint webhook_secrets_pkey PRIMARY KEY (account_id, webhook_id, id),
  constraint webhook_secrets_account_id_webhook_id_fkey FOREIGN KEY (account_id, webhook_id) REFERENCES webhooks(account_id, id) ON DELETE CASCADE
);

create table webhooks (
  account_id uuid not null,
  id uuid not null,
  url text not null,
  is_active boolean not null,
  events text[] not null,
  headers jsonb,
  failing_since timestamp with time zone,
  disabled_reason text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint webhooks_pkey PRIMARY KEY (account_id, id),
  constraint webhooks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index webhooks_active on webhooks USING btree (account_id) WHERE is_active;
