-- Functions of indexes name the functions that they call in full. PostgreSQL 17 and newer look for functions in no schema
-- but their own while they analyze a table or make an index: `analyze` of shipments and containers failed there.

CREATE OR REPLACE FUNCTION public.acts_on(projection jsonb, status text, held_on date)
 RETURNS date
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  is_here constant boolean :=
    status in ('grounded', 'available', 'not_available', 'awaiting_inland_transfer', 'on_rail');
  set_down date;
begin
  if status in ('new', 'loaded', 'off_dock') then return '2199-12-31'; end if;
  if not is_here and status <> 'on_ship' then return 'infinity'; end if;
  if is_here then set_down := (public.discharged_at(projection) at time zone 'UTC')::date; end if;
  return coalesce(least(
    public.earliest_free_day(projection, status),
    -- Since when a hold is there is not kept: the box could not leave since it was set down.
    case when is_here and public.hold_names(projection) <> '{}' then coalesce(set_down, held_on) end,
    case when status = 'awaiting_inland_transfer' then set_down + 3 end), '2199-12-31');
end $function$;

CREATE OR REPLACE FUNCTION public.discharged_at(projection jsonb)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  last constant jsonb := jsonb_path_query_array(projection,
    '$.milestones[*] ? (@.kind == "actual" && @.name == "vessel_discharged")') -> -1;
begin
  return public.moment_of(last -> 'time', last #>> '{place,timeZone}');
end $function$;

CREATE OR REPLACE FUNCTION public.sails_later(projection jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  zone constant text := projection #>> '{portOfLoading,place,timeZone}';
begin
  return public.moment_of(coalesce(nullif(projection #> '{portOfLoading,atd}', 'null'),
                            nullif(projection #> '{portOfLoading,etd}', 'null')), zone)
         >= public.moment_of(nullif(projection -> 'originalEtd', 'null'), zone) + interval '1 day';
end $function$;

CREATE OR REPLACE FUNCTION public.given_free_day(projection jsonb, giver text)
 RETURNS date
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  return public.last_free_day(jsonb_set(
    jsonb_set('{"freeTime": {}}', '{freeTime,line}', coalesce(projection #> array['freeTime', giver], 'null')),
    '{pickupTimeZone}', coalesce(projection -> 'pickupTimeZone', 'null')));
end $function$;

CREATE OR REPLACE FUNCTION public.earliest_free_day(projection jsonb, status text)
 RETURNS date
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  return least(public.given_free_day(projection, 'line'), public.given_free_day(projection, 'rail'),
               case when status <> 'on_rail' then public.given_free_day(projection, 'terminal') end);
end $function$;
