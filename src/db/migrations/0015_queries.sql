-- What lists are filtered and sorted by, as columns: most are generated from the projection, so that they are right
-- whoever writes it, old code included; the rest is kept by triggers. docs/queries.md says what is asked for.

-- The line is the shipment's and never changes. New code writes it; the trigger fills it in for code that does not.
alter table containers add column scac text;
update containers c set scac = s.scac from shipments s where s.account_id = c.account_id and s.id = c.shipment_id;

create function container_line() returns trigger language plpgsql as $$
begin
  select s.scac into new.scac from shipments s where s.account_id = new.account_id and s.id = new.shipment_id;
  return new;
end $$;
create trigger containers_line before insert on containers for each row when (new.scac is null)
  execute function container_line();

-- The boxes of a shipment in order of number and trip: what every read of a shipment shows and its status is read off.
alter table shipments add column container_ids uuid[] not null default '{}';
alter table shipments add column container_statuses text[] not null default '{}';

create function gather_boxes(account uuid, shipment uuid) returns void language plpgsql as $$
begin
  -- Named in full: a rebuild has tables of these names in a schema that it looks in first.
  update public.shipments s set container_ids = k.ids, container_statuses = k.statuses
    from (select coalesce(array_agg(c.id order by c.number, c.trip), '{}') as ids,
                 coalesce(array_agg(c.status order by c.number, c.trip), '{}') as statuses
            from public.containers c where c.account_id = account and c.shipment_id = shipment) k
   where s.account_id = account and s.id = shipment
     and (s.container_ids, s.container_statuses) is distinct from (k.ids, k.statuses);
end $$;

create function containers_gathered() returns trigger language plpgsql as $$
declare
  box record;
begin
  for box in select distinct account_id, shipment_id from changed loop
    perform gather_boxes(box.account_id, box.shipment_id);
  end loop;
  return null;
end $$;
create function container_gathered() returns trigger language plpgsql as $$
begin
  perform gather_boxes(new.account_id, new.shipment_id);
  return null;
end $$;

create trigger containers_came after insert on containers referencing new table as changed
  for each statement execute function containers_gathered();
create trigger containers_went after delete on containers referencing old table as changed
  for each statement execute function containers_gathered();
create trigger containers_moved after update of status on containers
  for each row when (old.status is distinct from new.status) execute function container_gathered();

update shipments s set container_ids = k.ids, container_statuses = k.statuses
  from (select account_id, shipment_id, array_agg(id order by number, trip) as ids,
               array_agg(status order by number, trip) as statuses
          from containers group by account_id, shipment_id) k
 where s.account_id = k.account_id and s.id = k.shipment_id;

-- A time as core/time.ts reads it (`instantOf`): a day and a wall clock are those of the place, of UTC where its zone is
-- not known here; a wall clock that was shown twice is the first. Null for no time.
create function moment_of(given jsonb, zone text) returns timestamptz language plpgsql immutable parallel safe as $$
declare
  wall timestamp;
  utc timestamptz;
  earlier interval;
  later interval;
begin
  if given is null or jsonb_typeof(given) <> 'object' then return null; end if;
  if given ->> 'kind' = 'instant' then return (given ->> 'at')::timestamptz; end if;
  wall := coalesce(given ->> 'local', given ->> 'on')::timestamp;
  utc := wall at time zone 'UTC';
  if zone is null then return utc; end if;
  begin
    earlier := ((utc - interval '24 hours') at time zone zone) - (wall - interval '24 hours');
    later := ((utc + interval '24 hours') at time zone zone) - (wall + interval '24 hours');
    if ((utc - earlier) at time zone zone) = wall then return utc - earlier; end if;
    if ((utc - later) at time zone zone) = wall then return utc - later; end if;
    return utc - earlier;
  exception when invalid_parameter_value then
    return utc;
  end;
end $$;

-- The last free day that counts, as core/free-time.ts has it: the line's, else the terminal's, else the railway's.
create function last_free_day(projection jsonb) returns date language plpgsql immutable parallel safe as $$
declare
  given jsonb := coalesce(nullif(projection #> '{freeTime,line}', 'null'), nullif(projection #> '{freeTime,terminal}', 'null'),
                          nullif(projection #> '{freeTime,rail}', 'null'));
  zone text := projection ->> 'pickupTimeZone';
begin
  if given is null then return null; end if;
  if given ->> 'kind' <> 'instant' then return left(coalesce(given ->> 'on', given ->> 'local'), 10)::date; end if;
  begin
    return ((given ->> 'at')::timestamptz at time zone coalesce(zone, 'UTC'))::date;
  exception when invalid_parameter_value then
    return ((given ->> 'at')::timestamptz at time zone 'UTC')::date;
  end;
end $$;

-- A shipment's status as service/shipments/shipment-status.ts has it; a test holds the two together.
create function shipment_status(projection jsonb, statuses text[]) returns text
language plpgsql immutable parallel safe as $$
declare
  names text[] := array['pending', 'in_transit', 'arrived', 'picked_up', 'completed'];
  route integer := case when coalesce(projection #> '{portOfDischarge,ata}', 'null') <> 'null' then 3
                        when coalesce(projection #> '{portOfLoading,atd}', 'null') <> 'null' then 2 else 1 end;
  behind integer;
  box text;
begin
  if projection ->> 'isBookingCancelled' = 'true' then return 'cancelled'; end if;
  foreach box in array statuses loop
    behind := least(behind, case
      when box in ('new', 'loaded') then 1
      when box = 'on_ship' then 2
      when box in ('grounded', 'available', 'not_available', 'awaiting_inland_transfer', 'on_rail', 'off_dock') then 3
      when box in ('picked_up', 'dropped', 'delivered') then 4
      when box = 'empty_returned' then 5
      else route end);
  end loop;
  return names[greatest(behind, route)];
end $$;

create function hold_names(projection jsonb) returns text[] language sql immutable parallel safe as $$
  select array(select name #>> '{}' from jsonb_path_query(projection, '$.holds[*].name') as name)
$$;

-- 'infinity': nobody has said. So it sorts after every time, and one index serves both directions.
alter table containers
  add column pol text generated always as (projection #>> '{portOfLoading,place,unlocode}') stored,
  add column pod text generated always as (projection #>> '{portOfDischarge,place,unlocode}') stored,
  add column terminal_id text generated always as (projection #>> '{podTerminal,terminalId}') stored,
  add column vessel_imo text generated always as (projection #>> '{podVessel,imo}') stored,
  add column eta_at timestamptz not null generated always as (coalesce(moment_of(projection #> '{portOfDischarge,eta}',
    projection #>> '{portOfDischarge,place,timeZone}'), 'infinity')) stored,
  add column lfd_on date not null generated always as (coalesce(last_free_day(projection), 'infinity')) stored,
  add column hold_names text[] not null generated always as (hold_names(projection)) stored;
alter table shipments
  add column pol text generated always as (projection #>> '{portOfLoading,place,unlocode}') stored,
  add column pod text generated always as (projection #>> '{portOfDischarge,place,unlocode}') stored,
  add column vessel_imo text generated always as (projection #>> '{podVessel,imo}') stored,
  add column eta_at timestamptz not null generated always as (coalesce(moment_of(projection #> '{portOfDischarge,eta}',
    projection #>> '{portOfDischarge,place,timeZone}'), 'infinity')) stored,
  add column status text not null generated always as (shipment_status(projection, container_statuses)) stored;

-- Each filter with the list's own order behind it: however many match, the first page is read off the index.
create index containers_by_status on containers (account_id, status, updated_at desc, id);
create index containers_by_line on containers (account_id, scac, updated_at desc, id);
create index containers_by_pol on containers (account_id, pol, updated_at desc, id) where pol is not null;
create index containers_by_pod on containers (account_id, pod, updated_at desc, id) where pod is not null;
create index containers_by_terminal on containers (account_id, terminal_id, updated_at desc, id)
  where terminal_id is not null;
create index containers_by_vessel on containers (account_id, vessel_imo, updated_at desc, id)
  where vessel_imo is not null;
create index containers_held on containers (account_id, updated_at desc, id) where hold_names <> '{}';
create index containers_by_eta on containers (account_id, eta_at desc, id);
create index containers_by_lfd on containers (account_id, lfd_on desc, id);
create index containers_newest on containers (account_id, created_at desc, id);

create index shipments_freshest on shipments (account_id, updated_at desc, id);
create index shipments_by_status on shipments (account_id, status, created_at desc, id);
create index shipments_by_line on shipments (account_id, scac, created_at desc, id);
create index shipments_by_pol on shipments (account_id, pol, created_at desc, id) where pol is not null;
create index shipments_by_pod on shipments (account_id, pod, created_at desc, id) where pod is not null;
create index shipments_by_vessel on shipments (account_id, vessel_imo, created_at desc, id) where vessel_imo is not null;
create index shipments_by_eta on shipments (account_id, eta_at desc, id);
create index shipments_by_customer on shipments (account_id, customer_id, created_at desc, id)
  where customer_id is not null;
create index shipments_tracked on shipments (account_id, created_at desc, id) where tracking_stopped_at is null;
create index shipments_stopped on shipments (account_id, created_at desc, id) where tracking_stopped_at is not null;

create index tracking_requests_freshest on tracking_requests (account_id, updated_at desc, id);
create index tracking_requests_by_status on tracking_requests (account_id, status, created_at desc, id);
create index tracking_requests_by_line on tracking_requests (account_id, scac, created_at desc, id);
create index tracking_requests_by_number on tracking_requests (account_id, number);
create index tracking_requests_by_request_number on tracking_requests (account_id, upper(request_number));

-- Tags and reference numbers (these in any case), each as a hash that is of this account alone, as in search_grams.
create function label_terms(account uuid, tags text[], refs text[]) returns bigint[]
language sql immutable parallel safe as $$
  select array(select hashtextextended('t' || tag, uuid_hash_extended(account, 0)) from unnest(tags) as tag)
      || array(select hashtextextended('r' || upper(ref), uuid_hash_extended(account, 0)) from unnest(refs) as ref)
$$;
create index shipments_labels on shipments using gin (label_terms(account_id, tags, ref_numbers))
  with (fastupdate = off) where tags <> '{}' or ref_numbers <> '{}';
create index containers_labels on containers using gin (label_terms(account_id, '{}', ref_numbers))
  with (fastupdate = off) where ref_numbers <> '{}';
create index tracking_requests_labels on tracking_requests using gin (label_terms(account_id, shipment_tags, ref_numbers))
  with (fastupdate = off) where shipment_tags <> '{}' or ref_numbers <> '{}';

-- Values of custom fields by definition; each of several choices by itself.
create function field_terms(account uuid, definition uuid, value jsonb) returns bigint[]
language sql immutable parallel safe as $$
  select case jsonb_typeof(value)
    when 'null' then '{}'::bigint[]
    when 'array' then array(select jsonb_hash_extended(each, uuid_hash_extended(definition, uuid_hash_extended(account, 0)))
                              from jsonb_array_elements(value) as each)
    else array[jsonb_hash_extended(value, uuid_hash_extended(definition, uuid_hash_extended(account, 0)))] end
$$;
create index custom_fields_by_value on custom_fields using gin (field_terms(account_id, definition_id, value))
  with (fastupdate = off);
