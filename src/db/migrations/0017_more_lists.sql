-- Lists of notifications as those of containers: each filter with the list's own order behind it. Nearly all are
-- delivered, and nobody looks for these by their status.
create index webhook_notifications_by_webhook on webhook_notifications (account_id, webhook_id, created_at desc, id);
create index webhook_notifications_by_event on webhook_notifications (account_id, event, created_at desc, id);
create index webhook_notifications_unfinished on webhook_notifications (account_id, delivery_status, created_at desc, id)
  where delivery_status <> 'succeeded';

create index parties_by_name on parties (account_id, lower(company_name) text_pattern_ops);

-- Few are held, and what is held is asked for by its status: in the list's order, those of a status stand together.
create index containers_held_by_status on containers (account_id, status, updated_at desc, id) where hold_names <> '{}';

-- What is on the ground is asked for by its last free day; those that are long back, most of all, stand in the way of it.
create index containers_on_ground_by_lfd on containers (account_id, status, lfd_on desc, id)
  where status in ('grounded', 'available', 'not_available', 'awaiting_inland_transfer', 'on_rail', 'off_dock');
