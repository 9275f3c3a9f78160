-- `filter[tags]` of a list now finds what has one of the tags. Saved views go on finding what has all of them.
update saved_views set query = query || '{"filter[tags_and]": "true"}'
 where query ? 'filter[tags]' and not query ? 'filter[tags_and]';

-- Lists by what was published of arrivals of late.
create index events_of_arrivals on events (account_id, created_at) where name = 'shipment.estimated.arrival';

-- Arrivals at the port of discharge: actual, otherwise estimated.
create function public.arrives_at(projection jsonb) returns timestamptz
  language plpgsql immutable parallel safe as $$
begin
  return coalesce(
    public.moment_of(projection #> '{portOfDischarge,ata}', projection #>> '{portOfDischarge,place,timeZone}'),
    public.moment_of(projection #> '{portOfDischarge,eta}', projection #>> '{portOfDischarge,place,timeZone}'));
end $$;
create index containers_by_arrival on containers (account_id, public.arrives_at(projection) desc, id);
create index shipments_by_arrival on shipments (account_id, public.arrives_at(projection) desc, id);

-- Custom fields by a part of their text, or of one of their choices.
create index custom_fields_by_part on custom_fields
  using gin (public.search_grams(account_id, definition_id::text, value #>> '{}')) with (fastupdate = off)
  where jsonb_typeof(value) in ('string', 'array');

-- When a container was loaded on its train at its port (`loaded`), left by it (`departed`), was unloaded from it at its end (`unloaded`), or was fetched
-- there (`outOfEnd`), as src/domain/view/inland-moves.ts finds it; a test compares the two. `areas`: metropolitan areas
-- by town.
create function public.inland_time(projection jsonb, move text, areas jsonb) returns timestamptz
  language plpgsql immutable parallel safe as $$
declare
  port constant text := public.place_key(projection #> '{portOfDischarge,place}');
  final constant text := public.place_key(projection #> '{destination,place}');
  final_area constant text := coalesce(areas ->> final, final);
  names text[] := '{}';
  places text[] := '{}';
  sources text[] := '{}';
  moves jsonb[] := '{}';
  start integer;
  found integer;
  is_inland boolean;
begin
  select coalesce(array_agg(m ->> 'name' order by n), '{}'), coalesce(array_agg(m order by n), '{}'),
         coalesce(array_agg(regexp_replace(m ->> 'callKey', '#[^#]*$', '') order by n), '{}'),
         coalesce(array_agg(m ->> 'source' order by n), '{}')
    into names, moves, places, sources
    from jsonb_array_elements(projection -> 'milestones') with ordinality as e(m, n) where m ->> 'kind' = 'actual';
  -- When no ship was reported, only a train from the port counts.
  select max(n) + 1 into start from unnest(names) with ordinality as e(name, n) where name ~ '^(vessel|feeder|transshipment)_';
  if start is null then
    select min(n) into start from unnest(names, places) with ordinality as e(name, place, n)
     where name like 'rail\_%' and place = port;
  end if;
  if move in ('loaded', 'departed') then
    select min(n) into found from unnest(names) with ordinality as e(name, n) where n >= start and name = 'rail_' || move;
  elsif move = 'unloaded' then
    select max(n) into found from unnest(names, places) with ordinality as e(name, place, n)
     where n >= start and name = 'rail_unloaded' and (place = final or coalesce(areas ->> place, place) = final_area);
  else
    select max(n) into found from unnest(names) with ordinality as e(name, n) where name = 'full_out';
    select sources[found] = 'rail' and places[found] is distinct from port
        or final is not null and (places[found] = final or coalesce(areas ->> places[found], places[found]) = final_area
             or exists (select from unnest(names) with ordinality as e(name, n)
                         where n >= start and n < found
                           and name in ('rail_arrived', 'rail_unloaded', 'arrived_at_inland_destination')))
      into is_inland;
    if is_inland is not true then found := null; end if;
  end if;
  return public.moment_of(moves[found] -> 'time', moves[found] #>> '{place,timeZone}');
end $$;

-- As `placeKeyOf` in src/domain/statements/statement.ts.
create function public.place_key(place jsonb) returns text
  language sql immutable parallel safe as $$
  select case when place is null or jsonb_typeof(place) <> 'object' then null
              else coalesce(place ->> 'unlocode',
                            '~' || nullif(upper(regexp_replace(btrim(place ->> 'name'), '\s+', ' ', 'g')), ''),
                            '~#' || (place ->> 'facilityCode'), '?') end
$$;
