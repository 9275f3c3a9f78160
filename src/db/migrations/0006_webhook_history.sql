-- Attempts that had been made when a delivery was last asked for by hand: its schedule of retries counts from there.
alter table webhook_notifications add column schedule_from integer not null default 0;
-- What is cleaned up is found by its age: attempts, and the bytes of deliveries that have ended.
create index webhook_notification_logs_age on webhook_notification_logs (created_at);
create index webhook_notifications_with_body on webhook_notifications (created_at)
  where body is not null and delivery_status <> 'pending';
-- Events are appended, so the blocks of a stretch of time lie together: recovery looks there only.
create index events_by_time on events using brin (created_at);
