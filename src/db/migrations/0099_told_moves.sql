-- Shipments whose arrival moved later, or whose ship or voyage is another than was first told, so that the inbox of
-- exceptions finds them among a million without looking at each. Both are read from the numbered events of arrivals,
-- whoever numbers them, and are a little more than what holds: the inbox checks each that it lists.
create table told_moves (
  account_id uuid not null,
  shipment_id uuid not null,
  -- UN/LOCODE for which the arrival was told; empty where none was.
  locode text not null,
  -- Until then it was told a day or more earlier than now.
  moved_at timestamptz not null,
  primary key (account_id, shipment_id, locode)
);
create index told_moves_newest on told_moves (account_id, moved_at desc, shipment_id);

create table told_ships (
  account_id uuid not null,
  shipment_id uuid not null,
  -- When an arrival with this ship and voyage was told last.
  told_at timestamptz not null,
  primary key (account_id, shipment_id)
);
create index told_ships_newest on told_ships (account_id, told_at desc, shipment_id);

create function note_told_arrivals(account uuid, shipments uuid[]) returns void
  language plpgsql as $$
begin
  delete from told_moves where account_id = account and shipment_id = any(shipments);
  delete from told_ships where account_id = account and shipment_id = any(shipments);
  with told as (
    select e.shipment_id, coalesce(e.payload ->> 'location_locode', '') as locode, e.sequence, e.created_at,
           (e.payload ->> 'estimated_timestamp')::timestamptz as eta
      from events e
     where e.account_id = account and e.shipment_id = any(shipments) and e.sequence is not null
       and e.name = 'shipment.estimated.arrival'
  ), steps as (
    select shipment_id, locode, lead(created_at) over w as next_at,
           coalesce(eta, first_value(eta) over w) as eta,
           last_value(eta) over (w rows between unbounded preceding and unbounded following) as last_eta
      from told window w as (partition by shipment_id, locode order by sequence)
  )
  insert into told_moves (account_id, shipment_id, locode, moved_at)
  select account, shipment_id, locode, max(next_at) from steps
   where eta <= last_eta - interval '1 day' and next_at is not null group by shipment_id, locode
  on conflict (account_id, shipment_id, locode) do update set moved_at = excluded.moved_at;
  insert into told_ships (account_id, shipment_id, told_at)
  select account, shipment_id, told_at from (
    select e.shipment_id, max(e.created_at) as told_at,
           (array_agg(e.payload ->> 'vessel_imo' order by e.sequence) filter (where e.payload ->> 'vessel_imo' is not null))[1] as first_imo,
           (array_agg(e.payload ->> 'vessel_imo' order by e.sequence desc) filter (where e.payload ->> 'vessel_imo' is not null))[1] as imo,
           (array_agg(e.payload ->> 'voyage_number' order by e.sequence) filter (where e.payload ->> 'voyage_number' is not null))[1] as first_voyage,
           (array_agg(e.payload ->> 'voyage_number' order by e.sequence desc) filter (where e.payload ->> 'voyage_number' is not null))[1] as voyage
      from events e
     where e.account_id = account and e.shipment_id = any(shipments) and e.sequence is not null
       and e.name = 'shipment.estimated.arrival'
     group by e.shipment_id) t
   where first_imo <> imo or first_voyage <> voyage
  on conflict (account_id, shipment_id) do update set told_at = excluded.told_at;
end $$;

create function note_told_arrival() returns trigger
  language plpgsql as $$
begin
  perform note_told_arrivals(new.account_id, array[new.shipment_id]);
  return null;
end $$;
create trigger told_arrival_numbered after update of sequence on events for each row
  when (new.sequence is not null and old.sequence is null and new.shipment_id is not null
        and new.name = 'shipment.estimated.arrival')
  execute function note_told_arrival();
create trigger told_arrival_inserted after insert on events for each row
  when (new.sequence is not null and new.shipment_id is not null and new.name = 'shipment.estimated.arrival')
  execute function note_told_arrival();

-- What was told before this migration, of shipments that are under way.
select note_told_arrivals(account_id, array_agg(id))
  from shipments where tracking_stopped_at is null and status in ('pending', 'in_transit') group by account_id;

-- A sailing that is a day or more later than the one that was announced first.
create function sails_later(projection jsonb) returns boolean
  language plpgsql immutable parallel safe as $$
declare
  zone constant text := projection #>> '{portOfLoading,place,timeZone}';
begin
  return moment_of(coalesce(nullif(projection #> '{portOfLoading,atd}', 'null'),
                            nullif(projection #> '{portOfLoading,etd}', 'null')), zone)
         >= moment_of(nullif(projection -> 'originalEtd', 'null'), zone) + interval '1 day';
end $$;
create index shipments_sailing_later on shipments (account_id, updated_at desc, id)
  where tracking_stopped_at is null and status in ('pending', 'in_transit') and sails_later(projection);

-- Numbers that could not be asked about for some time.
create index subjects_by_last_answer on subjects (coalesce(last_succeeded_at, created_at))
  where next_look_at is not null;
