-- Notifications lie by months and attempts by days, so that what is too old goes as a whole. What there is becomes a partition
-- of them as it is (0113). The keys of the partitions have no time in them. That no notification is made twice, in one
-- partition or in two, is held by who makes them: the sequencer makes those of an event in the transaction that numbers it,
-- which happens once, and `recover` locks the webhook and asks first.
alter table webhook_notification_logs drop constraint webhook_notification_logs_account_id_notification_id_fkey;

alter table webhook_notifications rename to webhook_notifications_before;
alter table webhook_notification_logs rename to webhook_notification_logs_before;
alter table webhook_notifications_before rename constraint webhook_notifications_pkey to webhook_notifications_before_pkey;
alter table webhook_notification_logs_before
  rename constraint webhook_notification_logs_pkey to webhook_notification_logs_before_pkey;
alter index webhook_notification_logs_age rename to webhook_notification_logs_before_age;
alter index webhook_notifications_by_event rename to webhook_notifications_before_by_event;
alter index webhook_notifications_by_webhook rename to webhook_notifications_before_by_webhook;
alter index webhook_notifications_lane rename to webhook_notifications_before_lane;
alter index webhook_notifications_newest rename to webhook_notifications_before_newest;
alter index webhook_notifications_of_event rename to webhook_notifications_before_of_event;
alter index webhook_notifications_queue rename to webhook_notifications_before_queue;
alter index webhook_notifications_unfinished rename to webhook_notifications_before_unfinished;
alter index webhook_notifications_with_body rename to webhook_notifications_before_with_body;

create table webhook_notifications (
  like webhook_notifications_before including defaults including constraints,
  foreign key (account_id, webhook_id) references webhooks (account_id, id) on delete cascade
) partition by range (created_at);
create index webhook_notifications_by_event on webhook_notifications (account_id, event, created_at desc, id);
create index webhook_notifications_by_webhook on webhook_notifications (account_id, webhook_id, created_at desc, id);
create index webhook_notifications_lane on webhook_notifications (webhook_id, lane_id, sequence)
  where delivery_status = 'pending' and attempts = 0;
create index webhook_notifications_newest on webhook_notifications (account_id, created_at desc, id);
create index webhook_notifications_of_event on webhook_notifications (account_id, event_id);
create index webhook_notifications_queue on webhook_notifications (account_id, webhook_id, next_attempt_at)
  where delivery_status = 'pending' and next_attempt_at is not null;
create index webhook_notifications_unfinished on webhook_notifications (account_id, delivery_status, created_at desc, id)
  where delivery_status <> 'succeeded';
create index webhook_notifications_with_body on webhook_notifications (created_at)
  where body is not null and delivery_status <> 'pending';
create table webhook_notification_logs (
  like webhook_notification_logs_before including defaults including constraints
) partition by range (created_at);

alter table webhook_notifications attach partition webhook_notifications_before default;
alter table webhook_notification_logs attach partition webhook_notification_logs_before default;

-- Where there was nothing, there is nothing to cut off later.
do $$
declare
  whole text;
  each record;
  is_empty boolean;
begin
  foreach whole in array array['webhook_notifications', 'webhook_notification_logs'] loop
    execute format('select not exists (select from public.%I)', whole) into is_empty;
    if is_empty then
      execute format('alter table public.%I rename to %I', whole || '_before', whole || '_default');
      for each in select c.relname::text as name, replace(c.relname, '_before_', '_default_') as called
                    from pg_index i join pg_class c on c.oid = i.indexrelid
                   where i.indrelid = to_regclass(format('public.%I', whole || '_default'))
      loop
        execute format('alter index public.%I rename to %I', each.name, each.called);
      end loop;
    end if;
  end loop;
end $$;
drop index if exists webhook_notification_logs_default_age;

create table delivery_floor (
  is_one boolean primary key default true check (is_one),
  -- No notification that was made before this time is pending, so that a queue over years of months is read from here on.
  oldest_at timestamptz not null,
  -- Notifications that were made before this time have been dropped.
  gone_before timestamptz
);
insert into delivery_floor (oldest_at) values ('2000-01-01T00:00:00Z');

-- When the thing with this id was made, to the millisecond, where its id tells it (UUID v7); else the widest bounds. So a
-- thing that is asked for by its id is looked for in one part alone.
create function earliest_by_id(id uuid) returns timestamptz language sql immutable parallel safe
return case when substr(id::text, 15, 1) = '7'
  then to_timestamp((('x' || substr(id::text, 1, 8) || substr(id::text, 10, 4))::bit(48)::bigint) / 1000.0)
  else '-infinity' end;
create function latest_by_id(id uuid) returns timestamptz language sql immutable parallel safe
return case when substr(id::text, 15, 1) = '7'
  then to_timestamp((('x' || substr(id::text, 1, 8) || substr(id::text, 10, 4))::bit(48)::bigint + 1) / 1000.0)
  else 'infinity' end;
