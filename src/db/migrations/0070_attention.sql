-- The inbox of exceptions is read from the rows of containers, shipments and requests. These functions and indexes find
-- the few rows of which a reason may hold, in the order in which they are listed.

-- The last free day that ends first, whoever gave it. The terminal's no longer counts once the box is on a train. The
-- same is in core/shown/free-time.ts.
create function given_free_day(projection jsonb, giver text) returns date
  language plpgsql immutable parallel safe as $$
begin
  return last_free_day(jsonb_set(
    jsonb_set('{"freeTime": {}}', '{freeTime,line}', coalesce(projection #> array['freeTime', giver], 'null')),
    '{pickupTimeZone}', coalesce(projection -> 'pickupTimeZone', 'null')));
end $$;
create function earliest_free_day(projection jsonb, status text) returns date
  language plpgsql immutable parallel safe as $$
begin
  return least(given_free_day(projection, 'line'), given_free_day(projection, 'rail'),
               case when status <> 'on_rail' then given_free_day(projection, 'terminal') end);
end $$;

-- When the box was last unloaded from a ship.
create function discharged_at(projection jsonb) returns timestamptz
  language plpgsql immutable parallel safe as $$
declare
  last constant jsonb := jsonb_path_query_array(projection,
    '$.milestones[*] ? (@.kind == "actual" && @.name == "vessel_discharged")') -> -1;
begin
  return moment_of(last -> 'time', last #>> '{place,timeZone}');
end $$;

create index containers_by_free_day on containers (account_id, earliest_free_day(projection, status) desc, id)
  where status in ('on_ship', 'grounded', 'available', 'not_available', 'awaiting_inland_transfer', 'on_rail')
    and earliest_free_day(projection, status) is not null;
create index containers_with_fees on containers (account_id, updated_at desc, id)
  where status in ('grounded', 'available', 'not_available', 'awaiting_inland_transfer', 'on_rail')
    and projection -> 'fees' <> '[]';
create index containers_awaiting_train on containers (account_id, discharged_at(projection) desc, id)
  where status = 'awaiting_inland_transfer';
create index shipments_under_way on shipments (account_id, updated_at desc, id)
  where tracking_stopped_at is null and status in ('pending', 'in_transit');
create index shipments_quiet on shipments (account_id, updated_at, id)
  where tracking_stopped_at is null and status in ('pending', 'in_transit', 'arrived');

-- Of which nobody has said anything. They are counted, because an empty list would look like "none".
create index containers_holds_unknown on containers (account_id)
  where status in ('grounded', 'available', 'not_available', 'awaiting_inland_transfer', 'on_rail')
    and hold_names = '{}' and projection ->> 'available' is null;
create index containers_fees_unknown on containers (account_id)
  where status in ('grounded', 'available', 'not_available', 'awaiting_inland_transfer', 'on_rail')
    and projection -> 'fees' = '[]' and projection #> '{saidBy,fees}' is null and projection #> '{saidBy,fee}' is null;
create index shipments_eta_unknown on shipments (account_id)
  where tracking_stopped_at is null and status in ('pending', 'in_transit') and eta_at = 'infinity';
create index shipments_sailing_unknown on shipments (account_id)
  where tracking_stopped_at is null and status in ('pending', 'in_transit') and projection -> 'originalEtd' = 'null';

-- What a person has set aside for a time.
create table attention_snoozes (
  account_id uuid not null references accounts (id),
  reason text not null,
  -- The container, shipment or request.
  subject_id uuid not null,
  until timestamptz not null,
  snoozed_by jsonb not null,
  primary key (account_id, reason, subject_id)
);
create index attention_snoozes_over on attention_snoozes (until);
