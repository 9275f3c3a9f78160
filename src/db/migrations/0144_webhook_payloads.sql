-- The bytes of a delivery, stored before they are sent, once for all webhooks that get the same bytes except for two ids.
-- webhook_notifications.body has them for notifications of before, and of older processes that still run.
create table webhook_payloads (
  account_id uuid not null,
  event_id uuid not null,
  -- What else the bytes depend on: the name and time of the notification, or the notification itself.
  variant text not null,
  body bytea not null,
  stored_at timestamptz not null,
  primary key (account_id, event_id, variant)
);
create index webhook_payloads_by_time on webhook_payloads (stored_at);
