-- The queue of deliveries, one per webhook, so that a webhook with a long backlog never stands before another's.
-- Null `next_attempt_at` on a pending notification: it waits in its lane for the first attempt of the one before it.
-- While leased, `next_attempt_at` is the end of the lease: a notification whose worker died falls due by itself.
drop index webhook_notifications_due;
create index webhook_notifications_queue on webhook_notifications (account_id, webhook_id, next_attempt_at)
  where delivery_status = 'pending' and next_attempt_at is not null;
create index webhook_notifications_of_event on webhook_notifications (account_id, event_id);
create index webhooks_active on webhooks (account_id) where is_active;
