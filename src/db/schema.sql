-- What the migrations add up to; written by `npm run schema`, kept current by a test. Comments stand in migrations/.

CREATE OR REPLACE FUNCTION public.acts_on(projection jsonb, status text, held_on date, free_by_terms_on date)
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
    public.earliest_free_day(projection, status), free_by_terms_on,
    -- Since when a hold is there is not kept: the box could not leave since it was set down.
    case when is_here and public.hold_names(projection) <> '{}' then coalesce(set_down, held_on) end,
    case when status = 'awaiting_inland_transfer' then set_down + 3 end), '2199-12-31');
end $function$;

CREATE OR REPLACE FUNCTION public.arrives_at(projection jsonb)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  return coalesce(
    public.moment_of(projection #> '{portOfDischarge,ata}', projection #>> '{portOfDischarge,place,timeZone}'),
    public.moment_of(projection #> '{portOfDischarge,eta}', projection #>> '{portOfDischarge,place,timeZone}'));
end $function$;

CREATE OR REPLACE FUNCTION public.attach_time_part(whole text, name text, starts timestamp with time zone, ends timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  default_name constant text := (select p.name from public.time_parts(whole) p where p.ends_at is null);
  told text;
begin
  -- Tables that rows refer to are locked first, as by whoever writes rows.
  for told in select distinct k.confrelid::regclass::text from pg_constraint k
               where k.conrelid = to_regclass(format('public.%I', whole)) and k.contype = 'f' order by 1
  loop
    execute format('lock table %s in share row exclusive mode', told);
  end loop;
  -- Whoever wants the table just now waits, before it has seen which parts there are: it would look for rows that moved
  -- meanwhile where they no longer are.
  execute format('lock table public.%I in access exclusive mode', whole);
  execute format('lock table public.%I in access exclusive mode', default_name);
  execute format('with moved as (delete from public.%1$I where %2$I >= %3$L and %2$I < %4$L returning *)'
                 'insert into public.%5$I select * from moved',
                 default_name, public.time_column(whole), starts, ends, name);
  execute format('alter table public.%I attach partition public.%I for values from (%s) to (%L)',
                 whole, name, case when starts = '-infinity' then 'minvalue' else quote_literal(starts) end, ends);
end $function$;

CREATE OR REPLACE FUNCTION public.close_looks_part(which text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET lock_timeout TO '1s'
AS $function$
declare
  name constant text := 'day_looks_' || which;
begin
  if which = 'before' or exists (select from pg_trigger t join pg_class c on c.oid = t.tgrelid
                                  where c.relname = name and c.relnamespace = 'public'::regnamespace and t.tgname = 'late')
  then
    return;
  end if;
  execute format('create trigger late after insert on public.%I for each row execute function public.fold_late_look()', name);
end $function$;

CREATE OR REPLACE FUNCTION public.container_gathered()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform gather_boxes(new.account_id, new.shipment_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.container_line()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select s.scac into new.scac from shipments s where s.account_id = new.account_id and s.id = new.shipment_id;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.containers_gathered()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  box record;
begin
  for box in select distinct account_id, shipment_id from changed loop
    perform gather_boxes(box.account_id, box.shipment_id);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.cut_time_parts(whole text, now timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET lock_timeout TO '300ms'
AS $function$
declare
  width constant interval := public.time_part_width(whole);
  before_name constant text := whole || '_before';
  default_name constant text := whole || '_default';
  bound record;
  ends timestamptz;
begin
  perform pg_advisory_xact_lock(7116100113);
  if not exists (select from public.time_parts(whole) p where p.name = before_name and p.ends_at is null) then
    return null;
  end if;
  select k.convalidated, (regexp_match(pg_get_constraintdef(k.oid), '''([^'']+)'''))[1]::timestamptz as ends
    into bound
    from pg_constraint k where k.conrelid = to_regclass(format('public.%I', before_name)) and k.conname = 'until_parts';
  if not found then
    ends := (date_trunc(case when width = '1 day' then 'day' else 'month' end, (now at time zone 'UTC') + interval '2 days')
             + width) at time zone 'UTC';
    execute format('alter table public.%I add constraint until_parts check (%I < %L) not valid',
                   before_name, public.time_column(whole), ends);
    return 'bounded';
  elsif now > bound.ends - interval '6 hours' then
    execute format('alter table public.%I drop constraint until_parts', before_name);
    return 'unbounded';
  elsif not bound.convalidated then
    execute format('alter table public.%I validate constraint until_parts', before_name);
    return 'checked';
  end if;
  execute format('lock table public.%I in access exclusive mode', whole);
  perform public.make_like_part(whole, default_name);
  execute format('alter table public.%I detach partition public.%I', whole, before_name);
  -- The constraint spares PostgreSQL reading the rows.
  execute format('alter table public.%I attach partition public.%I for values from (minvalue) to (%L)',
                 whole, before_name, bound.ends);
  execute format('alter table public.%I attach partition public.%I default', whole, default_name);
  execute format('alter table public.%I drop constraint until_parts', before_name);
  return 'cut';
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

CREATE OR REPLACE FUNCTION public.drop_looks_part(which text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET lock_timeout TO '1s'
AS $function$
begin
  if not exists (select from public.look_parts p where p.part = which and p.folded_at is not null) then
    raise exception 'the looks of % are not folded', which;
  end if;
  if which = 'before' then
    truncate public.looks_before;
  else
    execute format('drop table public.%I', 'day_looks_' || which);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.drop_positions_months(before timestamp with time zone)
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  part record;
begin
  for part in
    select c.relname::text as name, to_date(right(c.relname, 6), 'YYYYMM') as month
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'public.vessel_positions'::regclass and c.relname ~ '_\d{6}$'
     order by c.relname
  loop
    if (part.month + interval '1 month') at time zone 'UTC' <= before then
      execute format('drop table public.%I', part.name);
      return next to_char(part.month, 'YYYY-MM');
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.drop_time_part(whole text, part text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET lock_timeout TO '300ms'
AS $function$
declare
  width constant interval := public.time_part_width(whole);
  before_name constant text := whole || '_before';
  ends timestamptz;
begin
  perform pg_advisory_xact_lock(7116100113);
  select p.ends_at into ends from public.time_parts(whole) p where p.name = part;
  if ends is null then
    return false;
  end if;
  if whole = 'day_looks'
     or exists (select from public.time_parts(whole) p where p.ends_at < ends and p.name <> before_name) then
    raise exception '% is not the oldest part of %', part, whole;
  end if;
  execute format('drop table public.%I', part);
  if public.has_part_before(whole) then
    execute format('drop table if exists public.%I', before_name);
    perform public.make_like_part(whole, before_name);
    perform public.attach_time_part(whole, before_name, '-infinity', ends);
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.earliest_by_id(id uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (substr((id)::text, 15, 1) = '7'::text) THEN to_timestamp(((((((('x'::text || substr((id)::text, 1, 8)) || substr((id)::text, 10, 4)))::bit(48))::bigint)::numeric / 1000.0))::double precision) ELSE '-infinity'::timestamp with time zone END;

CREATE OR REPLACE FUNCTION public.earliest_free_day(projection jsonb, status text)
 RETURNS date
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  -- The terminal's day does not count after the container has left by rail.
  return least(public.given_free_day(projection, 'line'), public.given_free_day(projection, 'rail'),
               case when coalesce(projection #> '{freeTime,terminal}', 'null') <> 'null' and status <> 'on_rail'
                         and not public.left_by_rail(projection) then public.given_free_day(projection, 'terminal') end);
end $function$;

CREATE OR REPLACE FUNCTION public.field_terms(account uuid, definition uuid, value jsonb)
 RETURNS bigint[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case jsonb_typeof(value)
    when 'null' then '{}'::bigint[]
    when 'array' then array(select jsonb_hash_extended(each, uuid_hash_extended(definition, uuid_hash_extended(account, 0)))
                              from jsonb_array_elements(value) as each)
    else array[jsonb_hash_extended(value, uuid_hash_extended(definition, uuid_hash_extended(account, 0)))] end
$function$;

CREATE OR REPLACE FUNCTION public.fold_late_look()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  at constant timestamptz := coalesce(new.attempted_at, new.started_at);
begin
  insert into public.look_days as d (subject_id, day, succeeded_at, failed_at)
  values (new.subject_id, (new.ended_at at time zone 'UTC')::date,
          case when public.look_succeeded(new.outcome) then array[at] else '{}' end,
          case when public.look_succeeded(new.outcome) then '{}' else array[at] end)
  on conflict (subject_id, day) do update
     set succeeded_at = public.merge_instants(d.succeeded_at, excluded.succeeded_at),
         failed_at = public.merge_instants(d.failed_at, excluded.failed_at);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.free_days_of_tally(tally jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select jsonb_agg(jsonb_build_array(e -> 'slot', e #> '{lastFreeDay,day}', e -> 'code', e -> 'phase')) from jsonb_array_elements(tally -> 'terms') as e
$function$;

CREATE OR REPLACE FUNCTION public.gather_boxes(account uuid, shipment uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  -- Named in full: a rebuild has tables of these names in a schema that it looks in first.
  update public.shipments s set container_ids = k.ids, container_statuses = k.statuses, acts_on = k.acts_on
    from (select coalesce(array_agg(c.id order by c.number, c.trip), '{}') as ids,
                 coalesce(array_agg(c.status order by c.number, c.trip), '{}') as statuses,
                 coalesce(min(c.acts_on), '2199-12-31') as acts_on
            from public.containers c where c.account_id = account and c.shipment_id = shipment) k
   where s.account_id = account and s.id = shipment
     and (s.container_ids, s.container_statuses, s.acts_on) is distinct from (k.ids, k.statuses, k.acts_on);
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

CREATE OR REPLACE FUNCTION public.has_part_before(whole text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN (whole = ANY (ARRAY['webhook_notifications'::text, 'webhook_notification_logs'::text]));

CREATE OR REPLACE FUNCTION public.hold_names(projection jsonb)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array(select name #>> '{}' from jsonb_path_query(projection, '$.holds[*].name') as name)
$function$;

CREATE OR REPLACE FUNCTION public.inland_time(projection jsonb, move text, areas jsonb)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.insert_look()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into public.day_looks
    (subject_id, id, started_at, ended_at, duration_ms, outcome, status_code, detail, snapshot_id, is_unchanged,
     attempted_at, credential_id, events_told, events_aside, events_understood, events_lost, unread)
  values
    (new.subject_id, new.id, new.started_at, new.ended_at, new.duration_ms, new.outcome, new.status_code, new.detail,
     new.snapshot_id, new.is_unchanged, new.attempted_at, new.credential_id, new.events_told, new.events_aside,
     new.events_understood, new.events_lost, new.unread);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.label_container()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  shipment_tags text[];
begin
  -- Whoever changes the tags meanwhile is waited for.
  select s.tags into shipment_tags from public.shipments s
   where s.account_id = new.account_id and s.id = new.shipment_id for share;
  if tg_op = 'INSERT' and shipment_tags = '{}' and new.ref_numbers = '{}' then return null; end if;
  perform public.put_labels(new.account_id, new.id, public.labels_of('c', shipment_tags, new.ref_numbers), new.updated_at);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.label_shipment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform public.put_labels(new.account_id, new.id, public.labels_of('s', new.tags, new.ref_numbers), new.created_at);
  if tg_op = 'UPDATE' and old.tags is distinct from new.tags then
    -- Whoever moves one of its boxes meanwhile is waited for.
    perform public.put_labels(c.account_id, c.id, public.labels_of('c', new.tags, c.ref_numbers), c.updated_at)
       from (select account_id, id, ref_numbers, updated_at from public.containers
              where account_id = new.account_id and shipment_id = new.id order by id for share) c;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.label_terms(account uuid, tags text[], refs text[])
 RETURNS bigint[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array(select hashtextextended('t' || tag, uuid_hash_extended(account, 0)) from unnest(tags) as tag)
      || array(select hashtextextended('r' || upper(ref), uuid_hash_extended(account, 0)) from unnest(refs) as ref)
$function$;

CREATE OR REPLACE FUNCTION public.label_tracking_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform public.put_labels(new.account_id, new.id, public.labels_of('q', new.shipment_tags, new.ref_numbers), new.created_at);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.labels_of(owner text, tags text[], refs text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array(select owner || 't' || left(tag, 100) from unnest(tags) as tag where tag is not null
               union
               select owner || 'r' || left(upper(ref), 100) from unnest(refs) as ref where ref is not null)
$function$;

CREATE OR REPLACE FUNCTION public.last_free_day(projection jsonb)
 RETURNS date
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.latest_by_id(id uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (substr((id)::text, 15, 1) = '7'::text) THEN to_timestamp((((((((('x'::text || substr((id)::text, 1, 8)) || substr((id)::text, 10, 4)))::bit(48))::bigint + 1))::numeric / 1000.0))::double precision) ELSE 'infinity'::timestamp with time zone END;

CREATE OR REPLACE FUNCTION public.left_by_rail(projection jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  return coalesce((
    select max(n) filter (where m ->> 'name' ~ '^rail_') > max(n) filter (where m ->> 'name' ~ '^(vessel|feeder|transshipment)_')
      from jsonb_array_elements(projection -> 'milestones') with ordinality as e(m, n) where m ->> 'kind' = 'actual'), false);
end $function$;

CREATE OR REPLACE FUNCTION public.look_succeeded(outcome text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN (outcome <> ALL (ARRAY['unreachable'::text, 'unrecognized'::text, 'internal_error'::text]));

CREATE OR REPLACE FUNCTION public.make_like_part(whole text, name text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  other record;
begin
  execute format('create table public.%I (like public.%I including defaults including constraints including indexes)',
                 name, whole);
  select c.reloptions, (select pg_get_constraintdef(k.oid) from pg_constraint k
                         where k.conrelid = c.oid and k.contype = 'p') as key
    into strict other
    from pg_partitioned_table p join pg_class c on c.oid = p.partdefid
   where p.partrelid = to_regclass(format('public.%I', whole));
  if other.reloptions is not null then
    execute format('alter table public.%I set (%s)', name, array_to_string(other.reloptions, ', '));
  end if;
  if not exists (select from pg_constraint k where k.conrelid = to_regclass(format('public.%I', name)) and k.contype = 'p')
  then
    execute format('alter table public.%I add %s', name, other.key);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.make_looks_day(day date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET lock_timeout TO '300ms'
AS $function$
begin
  if public.make_time_part('day_looks', day) then
    insert into public.look_parts (part, ends_at)
    values (to_char(day, 'YYYYMMDD'), (day + 1)::timestamp at time zone 'UTC')
    on conflict (part) do update
       set folded_to = '00000000-0000-0000-0000-000000000000', folded_at = null, dropped_at = null;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.make_positions_month(month date)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select public.make_time_part('vessel_positions', month);
$function$;

CREATE OR REPLACE FUNCTION public.make_time_part(whole text, day date)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET lock_timeout TO '300ms'
AS $function$
declare
  width constant interval := public.time_part_width(whole);
  is_of_days constant boolean := width = '1 day';
  part_start constant timestamp := case when is_of_days then day::timestamp else date_trunc('month', day::timestamp) end;
  starts constant timestamptz := part_start at time zone 'UTC';
  ends constant timestamptz := (part_start + width) at time zone 'UTC';
  part_name constant text := whole || '_' || to_char(part_start, case when is_of_days then 'YYYYMMDD' else 'YYYYMM' end);
begin
  -- One maker at a time; whoever waited sees the table.
  perform pg_advisory_xact_lock(7116100113);
  if exists (select from public.time_parts(whole) p where p.ends_at > starts and p.starts_at < ends) then
    return false;
  end if;
  if exists (select from public.time_parts(whole) p where p.name = whole || '_before' and p.ends_at is null) then
    return false;
  end if;
  if public.has_part_before(whole) and not exists (select from public.time_parts(whole) p where p.ends_at is not null) then
    perform public.make_like_part(whole, whole || '_before');
    perform public.attach_time_part(whole, whole || '_before', '-infinity', starts);
  end if;
  perform public.make_like_part(whole, part_name);
  perform public.attach_time_part(whole, part_name, starts, ends);
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.merge_instants(ones timestamp with time zone[], others timestamp with time zone[])
 RETURNS timestamp with time zone[]
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((SELECT array_agg(DISTINCT at.at ORDER BY at.at) AS array_agg FROM unnest((merge_instants.ones || merge_instants.others)) at(at)), '{}'::timestamp with time zone[]);

CREATE OR REPLACE FUNCTION public.missing_time_parts(whole text, wanted date[], since timestamp with time zone)
 RETURNS SETOF date
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  width constant text := case when public.time_part_width(whole) = '1 day' then 'day' else 'month' end;
  default_name text;
begin
  select p.name into strict default_name from public.time_parts(whole) p where p.ends_at is null;
  if default_name = whole || '_before' then
    return;
  end if;
  return query execute format(
    'select distinct w.day from ('
    '  select date_trunc(%1$L, unnest($1)::timestamp)::date as day union'
    '  select date_trunc(%1$L, f.at at time zone ''UTC'')::date from ('
    '    select %2$I as at from public.%3$I where %2$I >= $2 limit 1000) f) w'
    ' where not exists (select from public.time_parts($3) p'
    '                    where p.starts_at <= w.day::timestamp at time zone ''UTC'''
    '                      and p.ends_at > w.day::timestamp at time zone ''UTC'')'
    ' order by w.day', width, public.time_column(whole), default_name)
  using wanted, since, whole;
end $function$;

CREATE OR REPLACE FUNCTION public.moment_of(given jsonb, zone text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.move_labels()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update public.labels l set at = new.updated_at
   where l.account_id = new.account_id and l.id = new.id and l.at <> new.updated_at;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_charges_of_box()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Without terms an account pays for no more than this look; comparing projections would cost more.
  if not exists (select from charge_books b where b.account_id = new.account_id) then return null; end if;
  if tg_op = 'UPDATE' and old.projection = new.projection and old.shipment_id = new.shipment_id then return null; end if;
  insert into charge_tallies (account_id, container_id, shipment_id, is_asked)
  values (new.account_id, new.id, new.shipment_id, true)
  on conflict (account_id, container_id) do update set is_asked = true, shipment_id = excluded.shipment_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_charges_of_shipment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from charge_books b where b.account_id = new.account_id) then return null; end if;
  if old.scac = new.scac and old.projection ->> 'billOfLadingNumber'
     is not distinct from new.projection ->> 'billOfLadingNumber' then return null; end if;
  insert into charge_tallies (account_id, container_id, shipment_id, is_asked)
  select c.account_id, c.id, c.shipment_id, true
    from containers c
   where c.account_id = new.account_id and c.shipment_id = new.id
   order by c.id
  on conflict (account_id, container_id) do update set is_asked = true;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_etas_due(account uuid, shipment uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into public.eta_outcomes_due (account_id, shipment_id) values (account, shipment)
  on conflict (account_id, shipment_id) do update set account_id = excluded.account_id
$function$;

CREATE OR REPLACE FUNCTION public.note_etas_of_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform note_etas_due(new.account_id, new.shipment_id) from public.shipments s
    where s.account_id = new.account_id and s.id = new.shipment_id
      and s.projection #>> '{portOfDischarge,ata}' is not null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_etas_of_shipment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform note_etas_due(new.account_id, new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_expectation_of_container()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into public.container_expectations (account_id, container_id, is_asked) values (new.account_id, new.id, true)
  on conflict (account_id, container_id) do update set is_asked = true where not container_expectations.is_asked;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_expectations_of_shipment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into public.container_expectations (account_id, container_id, is_asked)
  select c.account_id, c.id, true from public.containers c
   where c.account_id = new.account_id and c.shipment_id = new.id
   order by c.id
  on conflict (account_id, container_id) do update set is_asked = true;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_older_rules()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update shipments set rules = 1 where account_id = new.account_id and id = new.shipment_id and rules <> 1;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_told_arrival()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform note_told_arrivals(new.account_id, array[new.shipment_id]);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_told_arrivals(account uuid, shipments uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.place_key(place jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when place is null or jsonb_typeof(place) <> 'object' then null
              else coalesce(place ->> 'unlocode',
                            '~' || nullif(upper(regexp_replace(btrim(place ->> 'name'), '\s+', ' ', 'g')), ''),
                            '~#' || (place ->> 'facilityCode'), '?') end
$function$;

CREATE OR REPLACE FUNCTION public.put_labels(account uuid, of_id uuid, terms text[], listed_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  delete from public.labels l where l.account_id = account and l.id = of_id and l.term <> all(terms);
  insert into public.labels as l (account_id, id, term, at)
  select account, of_id, term, listed_at from unnest(terms) as term
  on conflict (account_id, id, term) do update set at = excluded.at where l.at <> excluded.at;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name;
end $function$;

CREATE OR REPLACE FUNCTION public.ring_for_asked_numbers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into public.channel_bells (channel_id, lane, urgency, account_id, at)
    select channel_id, 'askings', urgency, dealt_to, min(next_ask_at)
      from new_rows group by channel_id, urgency, dealt_to;
  elsif tg_op = 'DELETE' then
    insert into public.channel_bells (channel_id, lane, at)
    select distinct channel_id, 'askings', 'infinity'::timestamptz from old_rows where lease_token is not null;
  else
    insert into public.channel_bells (channel_id, lane, urgency, account_id, at)
    select n.channel_id, 'askings', n.urgency, n.dealt_to, min(n.next_ask_at)
      from new_rows n join old_rows o on o.channel_id = n.channel_id and o.kind = n.kind and o.number = n.number
     where n.next_ask_at < o.next_ask_at or (n.urgency, n.dealt_to) <> (o.urgency, o.dealt_to)
        or (n.lease_token is null and o.lease_token is not null and n.next_ask_at < o.leased_until)
     group by n.channel_id, n.urgency, n.dealt_to
     union all
    select distinct n.channel_id, 'askings', null::smallint, null::uuid, 'infinity'::timestamptz
      from new_rows n join old_rows o on o.channel_id = n.channel_id and o.kind = n.kind and o.number = n.number
     where n.lease_token is null and o.lease_token is not null;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.ring_for_channel()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into public.channel_bells (channel_id, lane, at)
  values (new.id, case when new.is_asked then 'looks' else 'askings' end, '-infinity');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.ring_for_subjects()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into public.channel_bells (channel_id, lane, urgency, account_id, at)
    select credential_id, 'looks', urgency, dealt_to, min(next_look_at)
      from new_rows where next_look_at is not null group by credential_id, urgency, dealt_to;
  else
    insert into public.channel_bells (channel_id, lane, urgency, account_id, at)
    select n.credential_id, 'looks', n.urgency, n.dealt_to, min(n.next_look_at)
      from new_rows n join old_rows o on o.id = n.id
     where n.next_look_at is not null
       and (o.next_look_at is null or n.next_look_at < o.next_look_at or (n.urgency, n.dealt_to) <> (o.urgency, o.dealt_to)
            or (n.lease_token is null and o.lease_token is not null and n.next_look_at < o.leased_until))
     group by n.credential_id, n.urgency, n.dealt_to
     union all
    select distinct n.credential_id, 'looks', null::smallint, null::uuid, 'infinity'::timestamptz
      from new_rows n join old_rows o on o.id = n.id
     where n.lease_token is null and o.lease_token is not null;
  end if;
  return null;
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

CREATE OR REPLACE FUNCTION public.search_container()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform search_put(new.account_id, 'container', new.id, array[new.number] || new.ref_numbers, new.created_at);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.search_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from search_entries where account_id = old.account_id and kind = tg_argv[0] and id = old.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.search_grams(account uuid, kind text, body text)
 RETURNS bigint[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  seed bigint := uuid_hash_extended(account, hashtextextended(kind, 0));
  grams bigint[] := '{}';
  term text;
begin
  -- Line by line, so that a long list of references costs no more than its length.
  foreach term in array string_to_array(trim(both E'\n' from body), E'\n') loop
    term := E'\n' || term || E'\n';
    grams := grams || hashtextextended(term, seed);
    for place in 1 .. length(term) - 2 loop
      grams := grams || hashtextextended(substr(term, place, 3), seed);
    end loop;
    for place in 1 .. length(term) - 4 loop
      grams := grams || hashtextextended(substr(term, place, 5), seed);
    end loop;
  end loop;
  return grams;
end $function$;

CREATE OR REPLACE FUNCTION public.search_part(account uuid, kind text, part text)
 RETURNS bigint[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  seed bigint := uuid_hash_extended(account, hashtextextended(kind, 0));
  size integer := case when length(part) >= 5 then 5 else 3 end;
  grams bigint[] := '{}';
begin
  if left(part, 1) = E'\n' and right(part, 1) = E'\n' then return array[hashtextextended(part, seed)]; end if;
  for place in 1 .. length(part) - size + 1 loop
    grams := grams || hashtextextended(substr(part, place, size), seed);
  end loop;
  return grams;
end $function$;

CREATE OR REPLACE FUNCTION public.search_put(account uuid, of_kind text, of_id uuid, numbers text[], made_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into search_entries (account_id, kind, id, body, created_at)
  select account, of_kind, of_id, coalesce(E'\n' || string_agg(distinct term, E'\n') || E'\n', ''), made_at
    from (select search_tidy(n) as term from unnest(numbers) as n) as t where term <> ''
  on conflict (account_id, kind, id) do update set body = excluded.body;
end $function$;

CREATE OR REPLACE FUNCTION public.search_put_shipment(account uuid, shipment uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform search_put(account, 'shipment', s.id,
                     array[s.bill_of_lading_number, s.normalized_number, s.projection ->> 'billOfLadingNumber',
                           s.projection ->> 'bookingNumber'] || s.ref_numbers
                     || array(select b.bill_of_lading_number from public.shipments b
                               where b.account_id = account and b.scac = s.scac and b.id <> s.id
                                 and upper(b.projection ->> 'bookingNumber') = upper(s.bill_of_lading_number)
                               order by b.created_at limit 20),
                     s.created_at)
     from public.shipments s where s.account_id = account and s.id = shipment;
end $function$;

CREATE OR REPLACE FUNCTION public.search_shipment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform search_put_shipment(new.account_id, new.id);
  perform search_put_shipment(s.account_id, s.id) from public.shipments s
    where s.account_id = new.account_id and s.scac = new.scac and s.id <> new.id
      and s.normalized_number = upper(new.projection ->> 'bookingNumber');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.search_tidy(given text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select translate(upper(given), E' \t\r\n-./\\_,:;#()', '') $function$;

CREATE OR REPLACE FUNCTION public.search_tracking_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform search_put(new.account_id, 'tracking_request', new.id,
                     array[new.request_number, new.number] || new.ref_numbers, new.created_at);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.shipment_status(projection jsonb, statuses text[])
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.time_column(whole text)
 RETURNS name
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select a.attname from pg_partitioned_table p
    join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
   where p.partrelid = to_regclass(format('public.%I', whole))
$function$;

CREATE OR REPLACE FUNCTION public.time_part_width(whole text)
 RETURNS interval
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  case
    when whole in ('day_looks', 'webhook_notification_logs') then return '1 day';
    when whole in ('vessel_positions', 'webhook_notifications') then return '1 month';
    else raise exception '% does not lie in parts of time', whole;
  end case;
end $function$;

CREATE OR REPLACE FUNCTION public.time_parts(whole text)
 RETURNS TABLE(name text, starts_at timestamp with time zone, ends_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with parts as materialized (
    select c.relname::text as name, pg_get_expr(c.relpartbound, c.oid) as bound
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = to_regclass(format('public.%I', whole)))
  select p.name,
         coalesce((regexp_match(p.bound, 'FROM \(''([^'']+)''\)'))[1]::timestamptz, '-infinity'),
         (regexp_match(p.bound, 'TO \(''([^'']+)''\)'))[1]::timestamptz
    from parts p
   where p.bound is not null
$function$;

CREATE OR REPLACE FUNCTION public.unlabel()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from public.labels l where l.account_id = old.account_id and l.id = old.id;
  return null;
end $function$;

create table account_shipping_lines (
  account_id uuid not null,
  scac text not null,
  enabled_at timestamp with time zone not null,
  constraint account_shipping_lines_pkey PRIMARY KEY (account_id, scac),
  constraint account_shipping_lines_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table accounts (
  id uuid not null,
  company_name text not null,
  is_fiction boolean not null,
  created_at timestamp with time zone not null,
  shares_outcomes boolean default true not null,
  unlearnt integer default 0 not null,
  search_lines_max integer,
  searches_billed_lines boolean default false not null,
  shares_scorecards boolean default false not null,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint search_lines_max_positive CHECK ((search_lines_max > 0))
);

create table alert_addresses (
  account_id uuid not null,
  email_key text not null,
  token_hmac bytea not null,
  asked_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  is_member boolean not null,
  stopped_at timestamp with time zone,
  constraint alert_addresses_pkey PRIMARY KEY (account_id, email_key),
  constraint alert_addresses_token_hmac_key UNIQUE (token_hmac),
  constraint alert_addresses_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table alert_messages (
  account_id uuid not null,
  id uuid not null,
  rule_id uuid not null,
  body jsonb not null,
  made_at timestamp with time zone not null,
  status text not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  last_error text,
  lease_token uuid,
  leased_until timestamp with time zone,
  constraint alert_messages_pkey PRIMARY KEY (account_id, id),
  constraint alert_messages_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text]))),
  constraint alert_messages_account_id_rule_id_fkey FOREIGN KEY (account_id, rule_id) REFERENCES alert_rules(account_id, id) ON DELETE CASCADE
);
create index alert_messages_due on alert_messages USING btree (next_attempt_at) WHERE (status = 'pending'::text);
create index alert_messages_of_rule on alert_messages USING btree (account_id, rule_id, made_at DESC);

create table alert_rules (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  reasons text[] not null,
  shipments jsonb not null,
  emails text[] not null,
  url_sealed bytea,
  url_format text,
  delivery text not null,
  daily_hour smallint not null,
  time_zone text not null,
  is_active boolean not null,
  next_digest_at timestamp with time zone,
  last_sent_at timestamp with time zone,
  last_failed_at timestamp with time zone,
  last_error text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint alert_rules_pkey PRIMARY KEY (account_id, id),
  constraint alert_rules_daily_hour_check CHECK (((daily_hour >= 0) AND (daily_hour <= 23))),
  constraint alert_rules_delivery_check CHECK ((delivery = ANY (ARRAY['immediately'::text, 'daily'::text]))),
  constraint alert_rules_url_format_check CHECK ((url_format = ANY (ARRAY['slack'::text, 'teams'::text, 'json'::text]))),
  constraint alert_rules_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table alert_told (
  account_id uuid not null,
  rule_id uuid not null,
  reason text not null,
  subject_id uuid not null,
  shipment_id uuid,
  text text not null,
  found_at timestamp with time zone not null,
  checked_at timestamp with time zone not null,
  told_at timestamp with time zone,
  constraint alert_told_pkey PRIMARY KEY (account_id, rule_id, reason, subject_id),
  constraint alert_told_account_id_rule_id_fkey FOREIGN KEY (account_id, rule_id) REFERENCES alert_rules(account_id, id) ON DELETE CASCADE
);
create index alert_told_by_check on alert_told USING btree (account_id, rule_id, checked_at);
create index alert_told_by_subject on alert_told USING btree (account_id, subject_id);
create index alert_told_waiting on alert_told USING btree (account_id, rule_id, found_at) WHERE (told_at IS NULL);

create table alert_watches (
  account_id uuid not null,
  sequence bigint not null,
  due_at timestamp with time zone not null,
  worked_at timestamp with time zone not null,
  lease_token uuid,
  leased_until timestamp with time zone,
  constraint alert_watches_pkey PRIMARY KEY (account_id),
  constraint alert_watches_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index alert_watches_due on alert_watches USING btree (due_at);

create table answer_shapes (
  credential_id uuid not null,
  answers integer not null,
  members jsonb not null,
  changes jsonb not null,
  read_to timestamp with time zone not null,
  constraint answer_shapes_pkey PRIMARY KEY (credential_id),
  constraint answer_shapes_credential_id_fkey FOREIGN KEY (credential_id) REFERENCES channels(id) ON DELETE CASCADE
);

create table api_keys (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  prefix text not null,
  last_four text not null,
  key_hmac bytea not null,
  scopes text[] not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  kind text default 'secret'::text not null,
  allowed_origins text[] default '{}'::text[] not null,
  created_by uuid,
  last_used_ip inet,
  constraint api_keys_pkey PRIMARY KEY (account_id, id),
  constraint api_keys_key_hmac_key UNIQUE (key_hmac),
  constraint api_keys_kind_check CHECK ((kind = ANY (ARRAY['secret'::text, 'publishable'::text]))),
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
);
create index api_keys_newest on api_keys USING btree (account_id, created_at DESC, id);

create table asked_numbers (
  channel_id uuid not null,
  kind text not null,
  number text not null,
  next_ask_at timestamp with time zone not null,
  lease_token uuid,
  leased_until timestamp with time zone,
  failures integer default 0 not null,
  asked_at timestamp with time zone,
  succeeded_at timestamp with time zone,
  answer_hash bytea,
  facility text,
  published_at timestamp with time zone,
  urgency smallint default 3 not null,
  dealt_to uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  constraint asked_numbers_pkey PRIMARY KEY (channel_id, kind, number),
  constraint asked_numbers_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id)
);
create index asked_numbers_due on asked_numbers USING btree (channel_id, next_ask_at, number);
create index asked_numbers_due_in_turn on asked_numbers USING btree (channel_id, urgency, dealt_to, next_ask_at);
create index asked_numbers_leased on asked_numbers USING btree (channel_id, leased_until) WHERE (lease_token IS NOT NULL);

create table attempts (
  subject bytea not null,
  tried_at timestamp with time zone[] not null,
  last_at timestamp with time zone not null,
  constraint attempts_pkey PRIMARY KEY (subject)
);
create index attempts_last_at on attempts USING btree (last_at);

create table attention_snoozes (
  account_id uuid not null,
  reason text not null,
  subject_id uuid not null,
  until timestamp with time zone,
  snoozed_by jsonb not null,
  done_basis text,
  assigned_to uuid,
  changed_at timestamp with time zone,
  constraint attention_snoozes_pkey PRIMARY KEY (account_id, reason, subject_id),
  constraint attention_snoozes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index attention_snoozes_changed on attention_snoozes USING btree (changed_at) WHERE (until IS NULL);
create index attention_snoozes_over on attention_snoozes USING btree (until);

create table attestations (
  signature text not null,
  content jsonb not null,
  constraint attestations_pkey PRIMARY KEY (signature)
);

create table audit_events (
  account_id uuid not null,
  id uuid not null,
  at timestamp with time zone not null,
  actor_type text not null,
  actor_id text,
  action text not null,
  target_type text not null,
  target_id uuid,
  request_id text not null,
  ip inet,
  user_agent text,
  diff jsonb,
  constraint audit_events_pkey PRIMARY KEY (account_id, id),
  constraint audit_events_actor_type_check CHECK ((actor_type = ANY (ARRAY['user'::text, 'api_key'::text, 'oauth_client'::text, 'system'::text]))),
  constraint audit_events_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index audit_events_newest on audit_events USING btree (account_id, at DESC, id);
create index audit_events_of_target on audit_events USING btree (account_id, target_id, at DESC) WHERE (target_id IS NOT NULL);

create table brief_positions (
  account_id uuid not null,
  credential text not null,
  sequence bigint not null,
  at timestamp with time zone not null,
  constraint brief_positions_pkey PRIMARY KEY (account_id, credential),
  constraint brief_positions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table channel_accounts (
  channel_id uuid not null,
  account_id uuid not null,
  bound_at timestamp with time zone not null,
  constraint channel_accounts_pkey PRIMARY KEY (channel_id, account_id),
  constraint channel_accounts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint channel_accounts_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id)
);

create table channel_bells (
  id bigint generated always as identity not null,
  channel_id uuid not null,
  lane text not null,
  urgency smallint,
  account_id uuid,
  at timestamp with time zone not null,
  constraint channel_bells_pkey PRIMARY KEY (id)
);

create table channel_keys (
  channel_id uuid not null,
  id uuid not null,
  kind text not null,
  token_hmac bytea,
  secret_sealed bytea,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint channel_keys_pkey PRIMARY KEY (channel_id, id),
  constraint channel_keys_kind_check CHECK ((kind = ANY (ARRAY['bearer'::text, 'hmac'::text]))),
  constraint channel_keys_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id)
);
create unique index channel_keys_token on channel_keys USING btree (token_hmac) WHERE (token_hmac IS NOT NULL);

create table channel_queue (
  channel_id uuid not null,
  lane text not null,
  ready_at timestamp with time zone,
  is_full boolean default false not null,
  dealt integer default 0 not null,
  turned_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  spending jsonb default '{}'::jsonb not null,
  requests integer default 1 not null,
  failures integer default 0 not null,
  constraint channel_queue_pkey PRIMARY KEY (channel_id),
  constraint channel_queue_lane_check CHECK ((lane = ANY (ARRAY['looks'::text, 'askings'::text]))),
  constraint channel_queue_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id)
) with (fillfactor=50);
create index channel_queue_ready on channel_queue USING btree (lane, ready_at) WHERE (ready_at IS NOT NULL);

create table channel_signatures (
  channel_id uuid not null,
  signature bytea not null,
  seen_at timestamp with time zone not null,
  constraint channel_signatures_pkey PRIMARY KEY (channel_id, signature),
  constraint channel_signatures_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id)
);
create index channel_signatures_old on channel_signatures USING btree (seen_at);

create table channel_turns (
  channel_id uuid not null,
  urgency smallint not null,
  account_id uuid not null,
  ready_at timestamp with time zone,
  constraint channel_turns_pkey PRIMARY KEY (channel_id, urgency, account_id),
  constraint channel_turns_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id)
) with (fillfactor=50);
create index channel_turns_ready on channel_turns USING btree (channel_id, urgency, ready_at) WHERE (ready_at IS NOT NULL);

create table channels (
  id uuid not null,
  account_id uuid,
  scac text not null,
  source text not null,
  profile jsonb not null,
  secret_sealed bytea,
  is_fiction boolean not null,
  is_enabled boolean default true not null,
  next_slot_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  created_at timestamp with time zone not null,
  left_alone_until timestamp with time zone,
  refusals integer default 0 not null,
  name text,
  speaker_kind text default 'shipping_line'::text not null,
  is_asked boolean default true not null,
  is_told boolean default false not null,
  is_first_hand boolean default true not null,
  acknowledges text default 'off'::text not null,
  acknowledgements integer default 0 not null,
  folder text,
  creates_requests boolean default false not null,
  creates_per_day integer default 1000 not null,
  asking jsonb,
  asks_by text[] default '{}'::text[] not null,
  answered_at timestamp with time zone,
  asking_trouble text,
  verified_at timestamp with time zone,
  verified_profile jsonb,
  heard_at timestamp with time zone,
  constraint credentials_pkey PRIMARY KEY (id),
  constraint channels_folder_key UNIQUE (folder),
  constraint channels_name_key UNIQUE (name),
  constraint channels_acknowledges_check CHECK ((acknowledges = ANY (ARRAY['off'::text, '997'::text, '999'::text, 'contrl'::text]))),
  constraint channels_asking_check CHECK (((asking IS NULL) OR is_told)),
  constraint channels_creates_per_day_check CHECK ((creates_per_day > 0)),
  constraint channels_creating_check CHECK (((NOT creates_requests) OR (is_told AND (account_id IS NOT NULL)))),
  constraint channels_speaker_check CHECK ((speaker_kind = ANY (ARRAY['shipping_line'::text, 'terminal'::text, 'rail'::text, 'user'::text, 'document'::text]))),
  constraint channels_told_check CHECK (((NOT is_told) OR (name IS NOT NULL))),
  constraint channels_way_check CHECK ((NOT (is_asked AND is_told))),
  constraint credentials_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index channels_asked_too on channels USING btree (account_id) WHERE (asking IS NOT NULL);
create unique index channels_one_asked on channels USING btree (scac, is_fiction, account_id) NULLS NOT DISTINCT WHERE is_asked;

create table charge_books (
  account_id uuid not null,
  worked_at timestamp with time zone not null,
  sweep_at timestamp with time zone,
  sweep_after uuid,
  sweeps_left smallint default 0 not null,
  constraint charge_books_pkey PRIMARY KEY (account_id),
  constraint charge_books_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table charge_calendars (
  account_id uuid not null,
  id uuid not null,
  code text not null,
  version integer not null,
  content jsonb not null,
  recorded_at timestamp with time zone not null,
  recorded_by jsonb not null,
  constraint charge_calendars_pkey PRIMARY KEY (account_id, id, version),
  constraint charge_calendars_account_id_code_version_key UNIQUE (account_id, code, version),
  constraint charge_calendars_version_check CHECK ((version > 0)),
  constraint charge_calendars_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table charge_issues (
  account_id uuid not null,
  container_id uuid not null,
  id uuid not null,
  constraint charge_issues_pkey PRIMARY KEY (account_id, container_id, id),
  constraint charge_issues_account_id_container_id_fkey FOREIGN KEY (account_id, container_id) REFERENCES containers(account_id, id) ON DELETE CASCADE
);

create table charge_tallies (
  account_id uuid not null,
  container_id uuid not null,
  shipment_id uuid not null,
  tally jsonb,
  is_asked boolean not null,
  rings_at timestamp with time zone,
  costs_from timestamp with time zone,
  constraint charge_tallies_pkey PRIMARY KEY (account_id, container_id),
  constraint charge_tallies_account_id_container_id_fkey FOREIGN KEY (account_id, container_id) REFERENCES containers(account_id, id) ON DELETE CASCADE
);
create index charge_tallies_asked on charge_tallies USING btree (account_id, container_id) WHERE is_asked;
create index charge_tallies_costing on charge_tallies USING btree (account_id, costs_from, container_id) WHERE (costs_from IS NOT NULL);
create index charge_tallies_of_shipment on charge_tallies USING btree (account_id, shipment_id);
create index charge_tallies_ringing on charge_tallies USING btree (account_id, rings_at) WHERE (rings_at IS NOT NULL);

create table charge_terms (
  account_id uuid not null,
  id uuid not null,
  code text not null,
  version integer not null,
  content jsonb not null,
  recorded_at timestamp with time zone not null,
  recorded_by jsonb not null,
  constraint charge_terms_pkey PRIMARY KEY (account_id, id, version),
  constraint charge_terms_account_id_code_version_key UNIQUE (account_id, code, version),
  constraint charge_terms_version_check CHECK ((version > 0)),
  constraint charge_terms_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table claims (
  account_id uuid not null,
  id uuid not null,
  subject_id uuid,
  shipment_id uuid,
  source_kind text not null,
  source_code text not null,
  source_key text not null,
  equipment text,
  observation jsonb not null,
  first_snapshot_id uuid,
  gone_snapshot_id uuid,
  reader text not null,
  read_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  missing_since timestamp with time zone,
  retired_at timestamp with time zone,
  stands_at timestamp with time zone,
  hand text default 'first'::text not null,
  delivery_key text,
  constraint claims_pkey PRIMARY KEY (account_id, id),
  constraint claims_hand_check CHECK ((hand = ANY (ARRAY['first'::text, 'relayed'::text]))),
  constraint claims_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
) with (fillfactor=80);
create index claims_of_box on claims USING btree (account_id, subject_id, equipment);
create index claims_of_shipment on claims USING btree (account_id, shipment_id) WHERE (shipment_id IS NOT NULL);

create table code_rereads (
  id uuid not null,
  channel_id uuid not null,
  field text not null,
  code text not null,
  after_mention uuid,
  passes_left smallint default 2 not null,
  due_at timestamp with time zone not null,
  lease_token uuid,
  constraint code_rereads_pkey PRIMARY KEY (id),
  constraint code_rereads_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id)
);
create index code_rereads_due on code_rereads USING btree (due_at);

create table column_maps (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  map jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  last_changed_by jsonb not null,
  constraint column_maps_pkey PRIMARY KEY (account_id, id),
  constraint column_maps_account_id_name_key UNIQUE (account_id, name),
  constraint column_maps_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table container_expectations (
  account_id uuid not null,
  container_id uuid not null,
  expected jsonb,
  is_asked boolean not null,
  due_at timestamp with time zone,
  overdue_at timestamp with time zone,
  constraint container_expectations_pkey PRIMARY KEY (account_id, container_id),
  constraint container_expectations_account_id_container_id_fkey FOREIGN KEY (account_id, container_id) REFERENCES containers(account_id, id) ON DELETE CASCADE
);
create index container_expectations_asked on container_expectations USING btree (account_id, container_id) WHERE is_asked;
create index container_expectations_due on container_expectations USING btree (due_at) WHERE ((overdue_at IS NULL) AND (due_at IS NOT NULL));
create index container_expectations_overdue on container_expectations USING btree (account_id, overdue_at DESC, container_id) WHERE (overdue_at IS NOT NULL);

create table containers (
  account_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  number text not null,
  trip integer not null,
  status text not null,
  ref_numbers text[] default '{}'::text[] not null,
  projection jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  last_changed_by jsonb,
  scac text,
  pol text generated always as ((projection #>> '{portOfLoading,place,unlocode}'::text[])) stored,
  pod text generated always as ((projection #>> '{portOfDischarge,place,unlocode}'::text[])) stored,
  terminal_id text generated always as ((projection #>> '{podTerminal,terminalId}'::text[])) stored,
  vessel_imo text generated always as ((projection #>> '{podVessel,imo}'::text[])) stored,
  eta_at timestamp with time zone generated always as (COALESCE(moment_of((projection #> '{portOfDischarge,eta}'::text[]), (projection #>> '{portOfDischarge,place,timeZone}'::text[])), 'infinity'::timestamp with time zone)) stored not null,
  lfd_on date generated always as (COALESCE(last_free_day(projection), 'infinity'::date)) stored not null,
  hold_names text[] generated always as (hold_names(projection)) stored not null,
  whereabouts text generated always as (
CASE
    WHEN (status = 'on_ship'::text) THEN (jsonb_path_query_array(projection, '$."milestones"[*]?(@."kind" == "actual")."vessel"."imo"?(@ != null)'::jsonpath) ->> '-1'::integer)
    ELSE COALESCE((jsonb_path_query_array(projection, '$."milestones"[*]?(@."kind" == "actual")."place"'::jsonpath) #>> '{-1,terminalId}'::text[]), (jsonb_path_query_array(projection, '$."milestones"[*]?(@."kind" == "actual")."place"'::jsonpath) #>> '{-1,unlocode}'::text[]))
END) stored,
  free_by_terms_on date,
  free_on date generated always as (COALESCE(LEAST(earliest_free_day(projection, status), free_by_terms_on), 'infinity'::date)) stored not null,
  acts_on date generated always as (acts_on(projection, status, ((updated_at AT TIME ZONE 'UTC'::text))::date, free_by_terms_on)) stored not null,
  constraint containers_pkey PRIMARY KEY (account_id, id),
  constraint containers_account_id_shipment_id_number_trip_key UNIQUE (account_id, shipment_id, number, trip),
  constraint containers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint containers_account_id_shipment_id_fkey FOREIGN KEY (account_id, shipment_id) REFERENCES shipments(account_id, id)
) with (fillfactor=80);
create index containers_aboard on containers USING btree (((jsonb_path_query_array(projection, '$."milestones"[*]?(@."kind" == "actual")."vessel"."imo"?(@ != null)'::jsonpath) ->> '-1'::integer))) WHERE (status = 'on_ship'::text);
create index containers_awaiting_train on containers USING btree (account_id, discharged_at(projection) DESC, id) WHERE (status = 'awaiting_inland_transfer'::text);
create index containers_by_arrival on containers USING btree (account_id, arrives_at(projection) DESC, id);
create index containers_by_eta on containers USING btree (account_id, eta_at DESC, id);
create index containers_by_free_day on containers USING btree (account_id, free_on DESC, id);
create index containers_by_lfd on containers USING btree (account_id, lfd_on DESC, id);
create index containers_by_line on containers USING btree (account_id, scac, updated_at DESC, id);
create index containers_by_number on containers USING btree (account_id, number);
create index containers_by_pod on containers USING btree (account_id, pod, updated_at DESC, id) WHERE (pod IS NOT NULL);
create index containers_by_pol on containers USING btree (account_id, pol, updated_at DESC, id) WHERE (pol IS NOT NULL);
create index containers_by_status on containers USING btree (account_id, status, updated_at DESC, id);
create index containers_by_terminal on containers USING btree (account_id, terminal_id, updated_at DESC, id) WHERE (terminal_id IS NOT NULL);
create index containers_by_urgency on containers USING btree (account_id, acts_on DESC, id);
create index containers_by_vessel on containers USING btree (account_id, vessel_imo, updated_at DESC, id) WHERE (vessel_imo IS NOT NULL);
create index containers_fees_unknown on containers USING btree (account_id) WHERE ((status = ANY (ARRAY['grounded'::text, 'available'::text, 'not_available'::text, 'awaiting_inland_transfer'::text, 'on_rail'::text])) AND ((projection -> 'fees'::text) = '[]'::jsonb) AND ((projection #> '{saidBy,fees}'::text[]) IS NULL) AND ((projection #> '{saidBy,fee}'::text[]) IS NULL));
create index containers_freshest on containers USING btree (account_id, updated_at DESC, id);
create index containers_held on containers USING btree (account_id, updated_at DESC, id) WHERE (hold_names <> '{}'::text[]);
create index containers_held_by_status on containers USING btree (account_id, status, updated_at DESC, id) WHERE (hold_names <> '{}'::text[]);
create index containers_holds_unknown on containers USING btree (account_id) WHERE ((status = ANY (ARRAY['grounded'::text, 'available'::text, 'not_available'::text, 'awaiting_inland_transfer'::text, 'on_rail'::text])) AND (hold_names = '{}'::text[]) AND ((projection ->> 'available'::text) IS NULL));
create index containers_labels on containers USING gin (label_terms(account_id, '{}'::text[], ref_numbers)) WITH (fastupdate=off) WHERE (ref_numbers <> '{}'::text[]);
create index containers_newest on containers USING btree (account_id, created_at DESC, id);
create index containers_on_ground_by_lfd on containers USING btree (account_id, status, lfd_on DESC, id) WHERE (status = ANY (ARRAY['grounded'::text, 'available'::text, 'not_available'::text, 'awaiting_inland_transfer'::text, 'on_rail'::text, 'off_dock'::text]));
create index containers_under_way on containers USING btree (account_id, status, whereabouts, shipment_id) INCLUDE (eta_at, vessel_imo, id, free_on) WHERE (status = ANY (ARRAY['new'::text, 'loaded'::text, 'on_ship'::text, 'grounded'::text, 'available'::text, 'not_available'::text, 'awaiting_inland_transfer'::text, 'on_rail'::text, 'off_dock'::text]));
create index containers_with_fees on containers USING btree (account_id, updated_at DESC, id) WHERE ((status = ANY (ARRAY['grounded'::text, 'available'::text, 'not_available'::text, 'awaiting_inland_transfer'::text, 'on_rail'::text])) AND ((projection -> 'fees'::text) <> '[]'::jsonb));

create table custom_field_definitions (
  account_id uuid not null,
  id uuid not null,
  entity_type text not null,
  api_slug text not null,
  display_name text not null,
  description text,
  data_type text not null,
  reference_type text,
  validation jsonb,
  default_format text,
  default_value jsonb,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  last_changed_by jsonb not null,
  constraint custom_field_definitions_pkey PRIMARY KEY (account_id, id),
  constraint custom_field_definitions_account_id_entity_type_api_slug_key UNIQUE (account_id, entity_type, api_slug),
  constraint custom_field_definitions_data_type_check CHECK ((data_type = ANY (ARRAY['short_text'::text, 'number'::text, 'date'::text, 'datetime'::text, 'boolean'::text, 'enum'::text, 'enum_multi'::text, 'reference'::text]))),
  constraint custom_field_definitions_entity_type_check CHECK ((entity_type = ANY (ARRAY['Shipment'::text, 'Container'::text, 'TrackingRequest'::text]))),
  constraint custom_field_definitions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index custom_field_definitions_newest on custom_field_definitions USING btree (account_id, created_at DESC, id);

create table custom_field_options (
  account_id uuid not null,
  id uuid not null,
  definition_id uuid not null,
  label text not null,
  value text not null,
  "position" integer,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint custom_field_options_pkey PRIMARY KEY (account_id, id),
  constraint custom_field_options_account_id_definition_id_value_key UNIQUE (account_id, definition_id, value),
  constraint custom_field_options_account_id_definition_id_fkey FOREIGN KEY (account_id, definition_id) REFERENCES custom_field_definitions(account_id, id) ON DELETE CASCADE
);

create table custom_fields (
  account_id uuid not null,
  id uuid not null,
  definition_id uuid not null,
  entity_id uuid not null,
  value jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  last_changed_by jsonb not null,
  constraint custom_fields_pkey PRIMARY KEY (account_id, id),
  constraint custom_fields_account_id_entity_id_definition_id_key UNIQUE (account_id, entity_id, definition_id),
  constraint custom_fields_account_id_definition_id_fkey FOREIGN KEY (account_id, definition_id) REFERENCES custom_field_definitions(account_id, id) ON DELETE CASCADE
);
create index custom_fields_by_part on custom_fields USING gin (search_grams(account_id, (definition_id)::text, (value #>> '{}'::text[]))) WITH (fastupdate=off) WHERE (jsonb_typeof(value) = ANY (ARRAY['string'::text, 'array'::text]));
create index custom_fields_by_value on custom_fields USING gin (field_terms(account_id, definition_id, value)) WITH (fastupdate=off);
create index custom_fields_newest on custom_fields USING btree (account_id, created_at DESC, id);
create index custom_fields_of_definition on custom_fields USING btree (account_id, definition_id, created_at DESC, id);

create table day_looks (
  subject_id uuid not null,
  id uuid not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  duration_ms integer not null,
  outcome text not null,
  status_code integer,
  detail text,
  snapshot_id uuid,
  is_unchanged boolean not null,
  attempted_at timestamp with time zone,
  credential_id uuid,
  events_told integer,
  events_aside integer,
  events_understood integer,
  events_lost integer,
  unread jsonb,
  constraint day_looks_pkey PRIMARY KEY (subject_id, ended_at, id)
) partition by RANGE (ended_at);
create index day_looks_of_line on day_looks USING btree (credential_id, ended_at DESC) WHERE (events_told > events_aside);

create table day_looks_default partition of day_looks DEFAULT;

create table delivery_floor (
  is_one boolean default true not null,
  oldest_at timestamp with time zone not null,
  gone_before timestamp with time zone,
  constraint delivery_floor_pkey PRIMARY KEY (is_one),
  constraint delivery_floor_is_one_check CHECK (is_one)
);

create table document_days (
  account_id uuid not null,
  day date not null,
  bytes bigint not null,
  constraint document_days_pkey PRIMARY KEY (account_id, day),
  constraint document_days_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table document_links (
  account_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  shipment_id uuid not null,
  container_id uuid,
  found_by text not null,
  is_denied boolean default false not null,
  created_at timestamp with time zone not null,
  constraint document_links_pkey PRIMARY KEY (account_id, id),
  constraint document_links_check CHECK (((found_by = 'person'::text) OR (NOT is_denied))),
  constraint document_links_found_by_check CHECK ((found_by = ANY (ARRAY['bill_of_lading'::text, 'booking'::text, 'container'::text, 'reference'::text, 'person'::text]))),
  constraint document_links_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, id)
);
create index document_links_of_shipment on document_links USING btree (account_id, shipment_id);
create unique index document_links_once on document_links USING btree (account_id, document_id, shipment_id, container_id) NULLS NOT DISTINCT;

create table document_pages (
  account_id uuid not null,
  document_id uuid not null,
  page integer not null,
  sealed_words bytea not null,
  constraint document_pages_pkey PRIMARY KEY (account_id, document_id, page),
  constraint document_pages_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, id)
);

create table document_references (
  account_id uuid not null,
  document_id uuid not null,
  kind text not null,
  number text not null,
  written text not null,
  constraint document_references_pkey PRIMARY KEY (account_id, document_id, kind, number),
  constraint document_references_kind_check CHECK ((kind = ANY (ARRAY['bill_of_lading'::text, 'booking'::text, 'container'::text, 'reference'::text]))),
  constraint document_references_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, id)
);
create index document_references_by_number on document_references USING btree (account_id, number);

create table document_representations (
  account_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  document_type text not null,
  schema_version text not null,
  payload jsonb not null,
  fields jsonb not null,
  is_manual boolean default false not null,
  reader_version integer,
  created_at timestamp with time zone not null,
  sealed_fields bytea,
  constraint document_representations_pkey PRIMARY KEY (account_id, id),
  constraint document_representations_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, id)
);
create index document_representations_newest on document_representations USING btree (account_id, document_id, is_manual, created_at DESC, id DESC);

create table document_settings (
  account_id uuid not null,
  uses_model boolean default false not null,
  changed_at timestamp with time zone not null,
  constraint document_settings_pkey PRIMARY KEY (account_id),
  constraint document_settings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table document_tasks (
  account_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  verb text not null,
  degrees integer,
  due_at timestamp with time zone not null,
  lease_token uuid,
  leased_until timestamp with time zone,
  attempts integer default 0 not null,
  last_error text,
  created_at timestamp with time zone not null,
  constraint document_tasks_pkey PRIMARY KEY (account_id, id),
  constraint document_tasks_check CHECK (((verb = 'rotate'::text) = (degrees IS NOT NULL))),
  constraint document_tasks_degrees_check CHECK ((degrees = ANY (ARRAY[90, 180, 270]))),
  constraint document_tasks_verb_check CHECK ((verb = ANY (ARRAY['read'::text, 'classify'::text, 'extract'::text, 'link'::text, 'rotate'::text, 'say'::text, 'model'::text]))),
  constraint document_tasks_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, id)
);
create index document_tasks_due on document_tasks USING btree (account_id, due_at, id);
create index document_tasks_of_document on document_tasks USING btree (account_id, document_id, created_at, id);

create table documents (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  source text not null,
  user_id uuid,
  added_by text not null,
  email_submission_id uuid,
  file_name text not null,
  file_words text[] not null,
  file_content_type text,
  file_size_bytes bigint not null,
  file_id uuid,
  content_hash bytea not null,
  document_type text default 'unknown'::text not null,
  document_type_manual text,
  shown_type text generated always as (COALESCE(document_type_manual, document_type)) stored not null,
  classification_notes text,
  extracted_data_manual jsonb,
  state text default 'waiting'::text not null,
  failure_reason text,
  failure_detail text,
  page_count integer,
  pages_of uuid,
  representation_id uuid,
  candidates jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  discarded_at timestamp with time zone,
  model_state text,
  model_reason text,
  model_tries integer default 0 not null,
  is_kind_by_model boolean default false not null,
  constraint documents_pkey PRIMARY KEY (account_id, id),
  constraint documents_model_state_check CHECK ((model_state = ANY (ARRAY['answered'::text, 'waiting'::text, 'failed'::text]))),
  constraint documents_source_check CHECK ((source = ANY (ARRAY['upload'::text, 'api'::text, 'email'::text, 'split_document'::text]))),
  constraint documents_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'read'::text, 'failed'::text]))),
  constraint documents_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint documents_email_submission_fkey FOREIGN KEY (account_id, email_submission_id) REFERENCES email_submissions(account_id, id)
);
create index documents_by_type on documents USING btree (account_id, shown_type, created_at DESC, id) WHERE (discarded_at IS NULL);
create index documents_discarded on documents USING btree (discarded_at) WHERE ((discarded_at IS NOT NULL) AND (file_id IS NOT NULL));
create index documents_in_order_of_adder on documents USING btree (account_id, added_by DESC, id) WHERE (discarded_at IS NULL);
create index documents_in_order_of_type on documents USING btree (account_id, shown_type DESC, id) WHERE (discarded_at IS NULL);
create index documents_newest on documents USING btree (account_id, created_at DESC, id) WHERE (discarded_at IS NULL);
create index documents_of_email on documents USING btree (account_id, email_submission_id) WHERE (email_submission_id IS NOT NULL);
create unique index documents_same_bytes on documents USING btree (account_id, content_hash) WHERE (discarded_at IS NULL);
create index documents_words on documents USING gin (label_terms(account_id, file_words, '{}'::text[])) WITH (fastupdate=off) WHERE (discarded_at IS NULL);

create table email_parts (
  account_id uuid not null,
  submission_id uuid not null,
  place integer not null,
  file_name text,
  content_type text,
  byte_size bigint not null,
  state text not null,
  reason text,
  document_id uuid,
  import_id uuid,
  message_id uuid,
  constraint email_parts_pkey PRIMARY KEY (account_id, submission_id, place),
  constraint email_parts_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'document'::text, 'import'::text, 'message'::text, 'repeated'::text, 'refused'::text, 'ignored'::text]))),
  constraint email_parts_account_id_submission_id_fkey FOREIGN KEY (account_id, submission_id) REFERENCES email_submissions(account_id, id)
);
create index email_parts_of_document on email_parts USING btree (account_id, document_id) WHERE (document_id IS NOT NULL);

create table email_submissions (
  account_id uuid not null,
  id uuid not null,
  mailbox_id uuid not null,
  content_hash bytea not null,
  file_id uuid,
  byte_size bigint not null,
  client_ip text,
  helo text,
  mail_from text not null,
  is_taken_apart boolean default false not null,
  subject text default ''::text not null,
  sealed_body bytea,
  from_addresses text[] default '{}'::text[] not null,
  to_addresses text[] default '{}'::text[] not null,
  cc_addresses text[] default '{}'::text[] not null,
  message_id text,
  in_reply_to text,
  reference_ids text[] default '{}'::text[] not null,
  content_type text,
  sent_at timestamp with time zone,
  spf text,
  dkim text,
  is_sender_proven boolean,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  due_at timestamp with time zone,
  lease_token uuid,
  attempts integer default 0 not null,
  constraint email_submissions_pkey PRIMARY KEY (account_id, id),
  constraint email_submissions_account_id_content_hash_key UNIQUE (account_id, content_hash),
  constraint email_submissions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint email_submissions_account_id_mailbox_id_fkey FOREIGN KEY (account_id, mailbox_id) REFERENCES mailboxes(account_id, id)
);
create index email_submissions_due on email_submissions USING btree (due_at) WHERE (due_at IS NOT NULL);
create index email_submissions_kept on email_submissions USING btree (created_at) WHERE ((file_id IS NOT NULL) AND (due_at IS NULL));
create index email_submissions_newest on email_submissions USING btree (account_id, created_at DESC, id);

create table eta_outcomes (
  account_id uuid not null,
  shipment_id uuid not null,
  kind text not null,
  source_code text not null,
  told_at timestamp with time zone not null,
  scac text not null,
  pol text,
  pod text not null,
  days_ahead real not null,
  error_hours real not null,
  arrived_at timestamp with time zone not null,
  arrival_by text,
  is_within boolean,
  moved_hours real,
  constraint eta_outcomes_pkey PRIMARY KEY (account_id, shipment_id, kind, source_code, told_at),
  constraint eta_outcomes_kind_check CHECK ((kind = ANY (ARRAY['first'::text, 'line'::text, 'terminal'::text, 'vessel'::text, 'own'::text])))
);

create table eta_outcomes_due (
  account_id uuid not null,
  shipment_id uuid not null,
  constraint eta_outcomes_due_pkey PRIMARY KEY (account_id, shipment_id)
);

create table event_counters (
  account_id uuid not null,
  last_sequence bigint not null,
  constraint event_counters_pkey PRIMARY KEY (account_id),
  constraint event_counters_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table events (
  account_id uuid not null,
  id uuid not null,
  ordinal bigint generated always as identity not null,
  sequence bigint,
  name text not null,
  reference_type text not null,
  reference_id uuid not null,
  tracking_request_id uuid,
  shipment_id uuid,
  container_id uuid,
  payload jsonb not null,
  created_at timestamp with time zone not null,
  constraint events_pkey PRIMARY KEY (account_id, id),
  constraint events_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index events_by_time on events USING brin (created_at);
create unique index events_in_sequence on events USING btree (account_id, sequence) WHERE (sequence IS NOT NULL);
create index events_of_arrivals on events USING btree (account_id, created_at) WHERE (name = 'shipment.estimated.arrival'::text);
create index events_of_request on events USING btree (account_id, tracking_request_id, sequence) WHERE ((sequence IS NOT NULL) AND (tracking_request_id IS NOT NULL));
create index events_of_shipment on events USING btree (account_id, shipment_id, sequence) WHERE ((sequence IS NOT NULL) AND (shipment_id IS NOT NULL));
create index events_waiting on events USING btree (account_id, ordinal) WHERE (sequence IS NULL);

create table evidence_keys (
  kid text not null,
  key_sealed bytea not null,
  public_key jsonb not null,
  made_at timestamp with time zone not null,
  constraint evidence_keys_pkey PRIMARY KEY (kid)
);

create table feed_leases (
  name text not null,
  lease_token uuid,
  leased_until timestamp with time zone,
  constraint feed_leases_pkey PRIMARY KEY (name)
);

create table hearings (
  account_id uuid not null,
  shipment_id uuid not null,
  mention_id uuid not null,
  heard_at timestamp with time zone not null,
  constraint hearings_pkey PRIMARY KEY (account_id, shipment_id, mention_id),
  constraint hearings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint hearings_mention_id_fkey FOREIGN KEY (mention_id) REFERENCES mentions(id)
);
create index hearings_of_mention on hearings USING btree (mention_id);

create table idempotency_keys (
  account_id uuid not null,
  route text not null,
  key text not null,
  fingerprint bytea not null,
  scopes text[] not null,
  created_at timestamp with time zone not null,
  lease_token uuid,
  leased_until timestamp with time zone,
  status smallint,
  headers jsonb,
  body_sealed bytea,
  constraint idempotency_keys_pkey PRIMARY KEY (account_id, route, key),
  constraint idempotency_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index idempotency_keys_created_at on idempotency_keys USING btree (created_at);

create table import_rows (
  account_id uuid not null,
  import_id uuid not null,
  place integer not null,
  row_number integer not null,
  read jsonb not null,
  input jsonb,
  number_field text,
  errors jsonb,
  is_rehearsed boolean default false not null,
  batch_id uuid,
  batch_place integer,
  outcome text,
  message_id uuid,
  constraint import_rows_pkey PRIMARY KEY (account_id, import_id, place),
  constraint import_rows_outcome_check CHECK ((outcome = ANY (ARRAY['waiting'::text, 'taken'::text, 'repeated'::text, 'valid'::text]))),
  constraint import_rows_account_id_batch_id_batch_place_fkey FOREIGN KEY (account_id, batch_id, batch_place) REFERENCES request_batch_items(account_id, batch_id, place),
  constraint import_rows_account_id_import_id_fkey FOREIGN KEY (account_id, import_id) REFERENCES imports(account_id, id),
  constraint import_rows_message_id_fkey FOREIGN KEY (message_id) REFERENCES inbound_messages(id)
);

create table imports (
  account_id uuid not null,
  id uuid not null,
  actor jsonb not null,
  scopes text[] not null,
  request_id text not null,
  file_name text,
  file_sha256 text not null,
  reading jsonb not null,
  map_name text,
  is_rehearsal boolean not null,
  rows_total integer not null,
  created_at timestamp with time zone not null,
  next_place integer,
  due_at timestamp with time zone not null,
  leased_until timestamp with time zone,
  channel_id uuid,
  lease_token uuid,
  constraint imports_pkey PRIMARY KEY (account_id, id),
  constraint imports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint imports_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id)
);
create index imports_open on imports USING btree (due_at) WHERE (next_place IS NOT NULL);

create table inbound_messages (
  id uuid not null,
  channel_id uuid not null,
  account_id uuid,
  idempotency_key text,
  content_type text,
  content_hash bytea not null,
  body bytea,
  byte_count integer not null,
  received_at timestamp with time zone not null,
  parts integer not null,
  parts_taken integer default 0 not null,
  faults jsonb not null,
  acknowledgement bytea,
  sealed_body bytea,
  constraint inbound_messages_pkey PRIMARY KEY (id),
  constraint inbound_messages_body_check CHECK ((num_nonnulls(body, sealed_body) <= 1)),
  constraint inbound_messages_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint inbound_messages_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id)
);
create index inbound_messages_in_clear on inbound_messages USING btree (id) WHERE (body IS NOT NULL);
create index inbound_messages_of_account on inbound_messages USING btree (account_id, received_at DESC, id) WHERE (account_id IS NOT NULL);
create index inbound_messages_of_channel on inbound_messages USING btree (channel_id, received_at DESC, id);
create unique index inbound_messages_once on inbound_messages USING btree (channel_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);

create table inference_companions (
  account_id uuid not null,
  bill text not null,
  number text not null,
  heard_at timestamp with time zone not null,
  constraint inference_companions_pkey PRIMARY KEY (account_id, bill, number),
  constraint inference_companions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index inference_companions_age on inference_companions USING btree (heard_at);
create index inference_companions_by_number on inference_companions USING btree (account_id, number);

create table inference_outcomes (
  account_id uuid not null,
  id uuid not null,
  sequence bigint,
  number text not null,
  node text not null,
  scac text not null,
  weight real not null,
  month integer not null,
  bill text,
  source text not null,
  confirmed_at timestamp with time zone not null,
  constraint inference_outcomes_pkey PRIMARY KEY (account_id, id),
  constraint inference_outcomes_source_check CHECK ((source = ANY (ARRAY['request'::text, 'bill'::text, 'told'::text, 'seen'::text, 'not_found'::text, 'override'::text, 'import'::text]))),
  constraint inference_outcomes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
) with (fillfactor=80);
create index inference_outcomes_by_number on inference_outcomes USING btree (account_id, number);
create unique index inference_outcomes_in_sequence on inference_outcomes USING btree (sequence) WHERE (sequence IS NOT NULL);
create index inference_outcomes_unnumbered on inference_outcomes USING btree (account_id) WHERE (sequence IS NULL);

create table inference_predictions (
  account_id uuid not null,
  number text not null,
  scac text not null,
  confidence real not null,
  decision text not null,
  number_type text not null,
  nodes text[] not null,
  predicted_at timestamp with time zone not null,
  confirmed_scac text,
  is_right boolean,
  confirmed_at timestamp with time zone,
  constraint inference_predictions_pkey PRIMARY KEY (account_id, number),
  constraint inference_predictions_decision_check CHECK ((decision = ANY (ARRAY['auto_select'::text, 'needs_confirmation'::text, 'no_prediction'::text]))),
  constraint inference_predictions_number_type_check CHECK ((number_type = ANY (ARRAY['container'::text, 'bill_of_lading'::text, 'booking'::text]))),
  constraint inference_predictions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
) with (fillfactor=80);
create index inference_predictions_age on inference_predictions USING btree (predicted_at);
create index inference_predictions_confirmed on inference_predictions USING btree (confirmed_at) WHERE (confirmed_at IS NOT NULL);

create table initial_custom_fields (
  account_id uuid not null,
  id uuid not null,
  tracking_request_id uuid not null,
  definition_id uuid not null,
  number text,
  value jsonb not null,
  created_at timestamp with time zone not null,
  last_changed_by jsonb not null,
  given_to uuid[] default '{}'::uuid[] not null,
  constraint initial_custom_fields_pkey PRIMARY KEY (account_id, id),
  constraint initial_custom_fields_account_id_definition_id_fkey FOREIGN KEY (account_id, definition_id) REFERENCES custom_field_definitions(account_id, id) ON DELETE CASCADE
);
create index initial_custom_fields_of_definition on initial_custom_fields USING btree (account_id, definition_id);
create index initial_custom_fields_of_request on initial_custom_fields USING btree (account_id, tracking_request_id);

create table invitations (
  account_id uuid not null,
  id uuid not null,
  email text not null,
  email_key text not null,
  role text not null,
  token_hmac bytea not null,
  invited_by uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint invitations_pkey PRIMARY KEY (account_id, id),
  constraint invitations_token_hmac_key UNIQUE (token_hmac),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['read_only'::text, 'member'::text, 'admin'::text, 'owner'::text]))),
  constraint invitations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id)
);
create index invitations_open on invitations USING btree (account_id, created_at DESC) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));

create table invoice_audits (
  account_id uuid not null,
  id uuid not null,
  number text,
  invoice jsonb not null,
  audit jsonb not null,
  made_at timestamp with time zone not null,
  made_by jsonb not null,
  constraint invoice_audits_pkey PRIMARY KEY (account_id, id),
  constraint invoice_audits_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index invoice_audits_by_number on invoice_audits USING btree (account_id, number, made_at);
create index invoice_audits_by_time on invoice_audits USING btree (account_id, made_at, id);

create table invoiced_days (
  account_id uuid not null,
  container text not null,
  audit_id uuid not null,
  line integer not null,
  kind text not null,
  charged_by text not null,
  from_day date not null,
  to_day date not null,
  constraint invoiced_days_pkey PRIMARY KEY (account_id, container, audit_id, line),
  constraint invoiced_days_account_id_audit_id_fkey FOREIGN KEY (account_id, audit_id) REFERENCES invoice_audits(account_id, id)
);

create table issues (
  account_id uuid not null,
  id uuid not null,
  subject_id uuid,
  shipment_id uuid,
  snapshot_id uuid,
  kind text not null,
  detail text not null,
  claim_id uuid,
  times integer default 1 not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  scac text,
  tracking_request_id uuid,
  page integer,
  path text,
  lost text,
  constraint issues_pkey PRIMARY KEY (account_id, id),
  constraint issues_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index issues_by_kind on issues USING btree (account_id, kind, last_at DESC, id);
create index issues_by_line on issues USING btree (account_id, scac, last_at DESC, id);
create index issues_newest on issues USING btree (account_id, last_at DESC, id);
create index issues_of_request on issues USING btree (account_id, tracking_request_id) WHERE (tracking_request_id IS NOT NULL);
create index issues_of_shipment on issues USING btree (account_id, shipment_id) WHERE (shipment_id IS NOT NULL);

create table joins (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  noted_at timestamp with time zone not null,
  constraint joins_pkey PRIMARY KEY (account_id, id),
  constraint joins_kind_check CHECK ((kind = ANY (ARRAY['shipment'::text, 'request'::text]))),
  constraint joins_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index joins_in_order on joins USING btree (noted_at);

create table kept_snapshots (
  id uuid not null,
  subject_id uuid not null,
  content_hash bytea not null,
  status integer not null,
  content_type text,
  body bytea,
  recorded_at timestamp with time zone not null,
  sealed_body bytea,
  pack_id uuid,
  frame_at integer,
  frame_bytes integer,
  body_at integer,
  body_bytes integer,
  constraint snapshots_pkey PRIMARY KEY (id),
  constraint snapshots_subject_id_content_hash_key UNIQUE (subject_id, content_hash),
  constraint snapshots_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES subjects(id)
);

create table labels (
  account_id uuid not null,
  id uuid not null,
  term text collate "C" not null,
  at timestamp with time zone not null,
  constraint labels_pkey PRIMARY KEY (account_id, id, term)
);
create index labels_in_order on labels USING btree (account_id, term, at DESC, id);
create statistics labels_by_account (mcv) on account_id, term from labels;

create table ledger (
  "position" bigint generated always as identity not null,
  account_id uuid not null,
  kind text not null,
  tracking_request_id uuid,
  shipment_id uuid,
  subject_id uuid,
  snapshot_id uuid,
  reader text,
  recorded_at timestamp with time zone not null,
  payload jsonb not null,
  rules integer,
  constraint ledger_pkey PRIMARY KEY (account_id, "position"),
  constraint ledger_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index ledger_of_request on ledger USING btree (account_id, tracking_request_id, "position") WHERE (tracking_request_id IS NOT NULL);
create index ledger_of_shipment on ledger USING btree (account_id, shipment_id, "position") WHERE (shipment_id IS NOT NULL);
create index ledger_of_subject on ledger USING btree (account_id, subject_id, "position") WHERE (subject_id IS NOT NULL);

create table ledger_root_marks (
  account_id uuid not null,
  covered_position bigint default 0 not null,
  seen_position bigint default 0 not null,
  seen_at timestamp with time zone,
  made_at timestamp with time zone,
  due_at timestamp with time zone not null,
  constraint ledger_root_marks_pkey PRIMARY KEY (account_id),
  constraint ledger_root_marks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index ledger_root_marks_due on ledger_root_marks USING btree (due_at);

create table ledger_roots (
  account_id uuid not null,
  id uuid not null,
  sequence integer not null,
  first_position bigint not null,
  last_position bigint not null,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null,
  leaf_count integer not null,
  root bytea not null,
  previous_root bytea,
  leaves bytea not null,
  kid text not null,
  signature bytea not null,
  made_at timestamp with time zone not null,
  constraint ledger_roots_pkey PRIMARY KEY (account_id, id),
  constraint ledger_roots_account_id_sequence_key UNIQUE (account_id, sequence),
  constraint ledger_roots_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint ledger_roots_kid_fkey FOREIGN KEY (kid) REFERENCES evidence_keys(kid)
);

create table look_days (
  subject_id uuid not null,
  day date not null,
  succeeded_at timestamp with time zone[] not null,
  failed_at timestamp with time zone[] not null,
  constraint look_days_pkey PRIMARY KEY (subject_id, day)
);

create table look_parts (
  part text not null,
  ends_at timestamp with time zone not null,
  folded_to uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  folded_at timestamp with time zone,
  dropped_at timestamp with time zone,
  constraint look_parts_pkey PRIMARY KEY (part),
  constraint look_parts_part_check CHECK (((part ~ '^\d{8}$'::text) OR (part = 'before'::text)))
);
create index look_parts_standing on look_parts USING btree (ends_at) WHERE (dropped_at IS NULL);

create table looks_before (
  subject_id uuid not null,
  id uuid not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  duration_ms integer not null,
  outcome text not null,
  status_code integer,
  detail text,
  snapshot_id uuid,
  is_unchanged boolean not null,
  attempted_at timestamp with time zone,
  credential_id uuid,
  events_told integer,
  events_aside integer,
  events_understood integer,
  events_lost integer,
  unread jsonb,
  constraint looks_before_pkey PRIMARY KEY (subject_id, id)
);
create index looks_before_latest on looks_before USING btree (subject_id, ended_at DESC);
create index looks_before_of_line on looks_before USING btree (credential_id, ended_at DESC) WHERE (events_told > events_aside);

create table loose_files (
  account_id uuid not null,
  id uuid not null,
  delete_at timestamp with time zone not null,
  constraint loose_files_pkey PRIMARY KEY (account_id, id),
  constraint loose_files_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index loose_files_due on loose_files USING btree (delete_at);

create table mailbox_senders (
  account_id uuid not null,
  id uuid not null,
  sender text not null,
  created_at timestamp with time zone not null,
  constraint mailbox_senders_pkey PRIMARY KEY (account_id, id),
  constraint mailbox_senders_account_id_sender_key UNIQUE (account_id, sender),
  constraint mailbox_senders_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table mailboxes (
  account_id uuid not null,
  id uuid not null,
  token_hmac bytea not null,
  token_sealed bytea not null,
  created_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint mailboxes_pkey PRIMARY KEY (account_id, id),
  constraint mailboxes_token_hmac_key UNIQUE (token_hmac),
  constraint mailboxes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table mails (
  id uuid not null,
  kind text not null,
  about uuid,
  content_sealed bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  next_attempt_at timestamp with time zone not null,
  attempts integer default 0 not null,
  lease_token uuid,
  leased_until timestamp with time zone,
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_kind_check CHECK ((kind = ANY (ARRAY['invitation'::text, 'password_reset_asked'::text, 'password_reset'::text, 'webhook_disabled'::text, 'alert'::text, 'alert_address'::text])))
);
create index mails_about on mails USING btree (about);
create index mails_due on mails USING btree (next_attempt_at);

create table memberships (
  account_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamp with time zone not null,
  constraint memberships_pkey PRIMARY KEY (account_id, user_id),
  constraint memberships_role_check CHECK ((role = ANY (ARRAY['read_only'::text, 'member'::text, 'admin'::text, 'owner'::text]))),
  constraint memberships_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
create index memberships_of_user on memberships USING btree (user_id, account_id);

create table mendings (
  account_id uuid not null,
  kind text not null,
  version integer not null,
  after_id uuid,
  looked_at integer default 0 not null,
  changed integer default 0 not null,
  failed integer default 0 not null,
  lease_token uuid,
  leased_until timestamp with time zone,
  not_before timestamp with time zone not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint mendings_pkey PRIMARY KEY (account_id, kind),
  constraint mendings_kind_check CHECK ((kind = ANY (ARRAY['readers'::text, 'rules'::text]))),
  constraint mendings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
create index mendings_open on mendings USING btree (not_before) WHERE (ended_at IS NULL);

create table mention_numbers (
  kind text not null,
  number text not null,
  mention_id uuid not null,
  account_id uuid,
  received_at timestamp with time zone not null,
  constraint mention_numbers_pkey PRIMARY KEY (kind, number, mention_id),
  constraint mention_numbers_mention_id_fkey FOREIGN KEY (mention_id) REFERENCES mentions(id)
);

create table mentions (
  id uuid not null,
  message_id uuid not null,
  channel_id uuid not null,
  account_id uuid,
  subject_id uuid not null,
  snapshot_id uuid,
  part integer not null,
  delivery_key text not null,
  stands_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  about jsonb not null,
  ranges jsonb not null,
  is_unmapped boolean not null,
  matched_at timestamp with time zone,
  expired_at timestamp with time zone,
  is_kept boolean default false not null,
  codes_noted boolean default false not null,
  constraint mentions_pkey PRIMARY KEY (id),
  constraint mentions_subject_id_delivery_key_key UNIQUE (subject_id, delivery_key),
  constraint mentions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint mentions_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id),
  constraint mentions_message_id_fkey FOREIGN KEY (message_id) REFERENCES inbound_messages(id),
  constraint mentions_snapshot_id_fkey FOREIGN KEY (snapshot_id) REFERENCES kept_snapshots(id),
  constraint mentions_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES subjects(id)
);
create index mentions_codes_unnoted on mentions USING btree (id) WHERE ((NOT codes_noted) AND (expired_at IS NULL));
create index mentions_may_expire on mentions USING btree (channel_id, received_at, id) WHERE ((expired_at IS NULL) AND (NOT is_kept));
create index mentions_of_message on mentions USING btree (message_id, part);
create index mentions_of_snapshot on mentions USING btree (snapshot_id) WHERE (snapshot_id IS NOT NULL);
create index mentions_unmatched on mentions USING btree (id) WHERE (matched_at IS NULL);

create table notes (
  account_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  container_id uuid,
  text text not null,
  created_by jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint notes_pkey PRIMARY KEY (account_id, id),
  constraint notes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index notes_of_shipment on notes USING btree (account_id, shipment_id, created_at DESC, id);

create table oauth_clients (
  id text not null,
  metadata_sealed bytea not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  constraint oauth_clients_pkey PRIMARY KEY (id)
);
create index oauth_clients_unused on oauth_clients USING btree (last_used_at);

create table oauth_entries (
  kind text not null,
  id_hmac bytea not null,
  payload_sealed bytea not null,
  grant_id uuid,
  audience text,
  scope text,
  expires_at timestamp with time zone,
  consumed_at timestamp with time zone,
  constraint oauth_entries_pkey PRIMARY KEY (kind, id_hmac)
);
create index oauth_entries_expiry on oauth_entries USING btree (expires_at);
create index oauth_entries_of_grant on oauth_entries USING btree (grant_id) WHERE (grant_id IS NOT NULL);

create table oauth_grants (
  account_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  client_id text not null,
  client_name text not null,
  redirect_host text not null,
  scopes text[] not null,
  resources text[] not null,
  spans_accounts boolean not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint oauth_grants_pkey PRIMARY KEY (account_id, id),
  constraint oauth_grants_id_key UNIQUE (id),
  constraint oauth_grants_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint oauth_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
create index oauth_grants_of_client on oauth_grants USING btree (client_id);
create index oauth_grants_of_user on oauth_grants USING btree (user_id, created_at DESC);

create table oauth_signing_keys (
  generation integer not null,
  key_sealed bytea not null,
  made_at timestamp with time zone not null,
  signs_from timestamp with time zone not null,
  constraint oauth_signing_keys_pkey PRIMARY KEY (generation)
);

create table parties (
  account_id uuid not null,
  id uuid not null,
  company_name text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  last_changed_by jsonb not null,
  constraint parties_pkey PRIMARY KEY (account_id, id),
  constraint parties_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index parties_named on parties USING btree (account_id, lower(company_name) text_pattern_ops) INCLUDE (company_name);
create index parties_newest on parties USING btree (account_id, created_at DESC, id);

create table party_roles (
  account_id uuid not null,
  id uuid not null,
  record_type text not null,
  record_id uuid not null,
  role text not null,
  party_id uuid not null,
  created_at timestamp with time zone not null,
  constraint party_roles_pkey PRIMARY KEY (account_id, id),
  constraint party_roles_account_id_record_id_role_party_id_key UNIQUE (account_id, record_id, role, party_id),
  constraint party_roles_record_type_check CHECK ((record_type = ANY (ARRAY['shipment'::text, 'container'::text, 'tracking_request'::text]))),
  constraint party_roles_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint party_roles_account_id_party_id_fkey FOREIGN KEY (account_id, party_id) REFERENCES parties(account_id, id)
);
create index party_roles_of_party on party_roles USING btree (account_id, party_id, role);

create table password_resets (
  token_hmac bytea not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint password_resets_pkey PRIMARY KEY (token_hmac),
  constraint password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
create index password_resets_of_user on password_resets USING btree (user_id);

create table place_aliases (
  alias text not null,
  unlocode text not null,
  name text not null,
  origin text not null,
  edition text not null,
  retired_at timestamp with time zone,
  constraint place_aliases_pkey PRIMARY KEY (alias)
);
create index place_aliases_of on place_aliases USING btree (unlocode);

create table places (
  id uuid not null,
  unlocode text not null,
  name text not null,
  city text,
  subdivision text,
  country_code text not null,
  time_zone text,
  latitude double precision,
  longitude double precision,
  coordinate_source text,
  coordinate_doubt text,
  kind text not null,
  plain_names text not null,
  words tsvector generated always as (array_to_tsvector(string_to_array(translate(plain_names, '|'::text, ' '::text), ' '::text))) stored not null,
  origin text not null,
  edition text not null,
  retired_at timestamp with time zone,
  constraint places_pkey PRIMARY KEY (id),
  constraint places_unlocode_key UNIQUE (unlocode),
  constraint places_kind_check CHECK ((kind = ANY (ARRAY['port'::text, 'metro_area'::text]))),
  constraint places_unlocode_check CHECK ((unlocode ~ '^[A-Z]{2}[A-Z2-9]{3}$'::text))
);
create index places_by_name on places USING btree (kind, plain_names, unlocode) WHERE (retired_at IS NULL);
create index places_code_prefix on places USING btree (unlocode text_pattern_ops);
create index places_imported on places USING btree (unlocode) WHERE (origin <> 'shipped'::text);
create index places_words on places USING gin (words) WITH (fastupdate=off);

create table position_feeds (
  is_fiction boolean not null,
  name text not null,
  connected_at timestamp with time zone,
  ended_because text,
  heard_at timestamp with time zone,
  usual real,
  silent_since timestamp with time zone,
  written_at timestamp with time zone not null,
  constraint position_feeds_pkey PRIMARY KEY (is_fiction, name)
);

create table rate_limits (
  account_id uuid not null,
  bucket text not null,
  per_minute integer not null,
  updated_at timestamp with time zone not null,
  constraint rate_limits_pkey PRIMARY KEY (account_id, bucket),
  constraint rate_limits_per_minute_check CHECK ((per_minute >= 0)),
  constraint rate_limits_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create unlogged table rate_windows (
  account_id uuid not null,
  bucket text not null,
  accepted bigint[] not null,
  taken integer not null,
  asked_at bigint not null,
  constraint rate_windows_pkey PRIMARY KEY (account_id, bucket)
) with (fillfactor=50);

create table recovery_codes (
  user_id uuid not null,
  code_hmac bytea not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hmac),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table reference_editions (
  number bigint generated always as identity not null,
  origin text not null,
  file text not null,
  edition text not null,
  sha256 text not null,
  format integer not null,
  rows integer not null,
  added integer not null,
  changed integer not null,
  retired integer not null,
  publisher text,
  licence text,
  loaded_at timestamp with time zone not null,
  loaded_by text not null,
  constraint reference_editions_pkey PRIMARY KEY (number)
);
create index reference_editions_in_use on reference_editions USING btree (origin, file, number DESC);

create table request_batch_items (
  account_id uuid not null,
  batch_id uuid not null,
  place integer not null,
  input jsonb not null,
  status text not null,
  tracking_request_id uuid not null,
  errors jsonb,
  due_at timestamp with time zone,
  leased_until timestamp with time zone,
  settled_at timestamp with time zone,
  lease_token uuid,
  constraint request_batch_items_pkey PRIMARY KEY (account_id, batch_id, place),
  constraint request_batch_items_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'created'::text, 'refused'::text]))),
  constraint request_batch_items_account_id_batch_id_fkey FOREIGN KEY (account_id, batch_id) REFERENCES request_batches(account_id, id)
);
create index request_batch_items_queued on request_batch_items USING btree (account_id, batch_id, place) WHERE (status = 'queued'::text);

create table request_batches (
  account_id uuid not null,
  id uuid not null,
  actor jsonb not null,
  scopes text[] not null,
  request_id text not null,
  items_total integer not null,
  created_at timestamp with time zone not null,
  constraint request_batches_pkey PRIMARY KEY (account_id, id),
  constraint request_batches_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index request_batches_newest on request_batches USING btree (account_id, created_at DESC);

create table said_codes (
  channel_id uuid not null,
  field text not null,
  code text not null,
  mention_id uuid not null,
  reason text not null,
  text text not null,
  is_mapped boolean not null,
  received_at timestamp with time zone not null,
  constraint said_codes_pkey PRIMARY KEY (channel_id, field, code, mention_id, reason, text),
  constraint said_codes_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id),
  constraint said_codes_mention_id_fkey FOREIGN KEY (mention_id) REFERENCES mentions(id) ON DELETE CASCADE
);
create index said_codes_of_mention on said_codes USING btree (mention_id);
create index said_codes_unmapped on said_codes USING btree (channel_id, field, code, reason, text, received_at) WHERE (NOT is_mapped);

create table saved_views (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  list text not null,
  query jsonb not null,
  columns text[] not null,
  owner_id uuid,
  created_by jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  last_changed_by jsonb not null,
  constraint saved_views_pkey PRIMARY KEY (account_id, id),
  constraint saved_views_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table search_entries (
  account_id uuid not null,
  kind text not null,
  id uuid not null,
  body text not null,
  created_at timestamp with time zone not null,
  constraint search_entries_pkey PRIMARY KEY (account_id, kind, id),
  constraint search_entries_kind_check CHECK ((kind = ANY (ARRAY['shipment'::text, 'container'::text, 'tracking_request'::text])))
);
create index search_entries_grams on search_entries USING gin (search_grams(account_id, kind, body)) WITH (fastupdate=off);
create index search_entries_newest on search_entries USING btree (account_id, kind, created_at DESC, id);

create table sessions (
  id uuid not null,
  token_hmac bytea not null,
  user_id uuid not null,
  account_id uuid,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  ip inet,
  user_agent text,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_token_hmac_key UNIQUE (token_hmac),
  constraint sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
create index sessions_expiry on sessions USING btree (expires_at);
create index sessions_of_user on sessions USING btree (user_id, last_seen_at DESC);

create table settings (
  name text not null,
  value jsonb not null,
  constraint settings_pkey PRIMARY KEY (name)
);

create table share_links (
  account_id uuid not null,
  id uuid not null,
  token_hmac bytea not null,
  name text not null,
  shipment_id uuid,
  saved_view_id uuid,
  company_name text,
  color text,
  allowed_origins text[] not null,
  expires_at timestamp with time zone not null,
  opened_count bigint default 0 not null,
  last_opened_at timestamp with time zone,
  created_by jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  last_changed_by jsonb not null,
  constraint share_links_pkey PRIMARY KEY (account_id, id),
  constraint share_links_token_hmac_key UNIQUE (token_hmac),
  constraint share_links_check CHECK ((num_nonnulls(shipment_id, saved_view_id) = 1)),
  constraint share_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint share_links_account_id_saved_view_id_fkey FOREIGN KEY (account_id, saved_view_id) REFERENCES saved_views(account_id, id) ON DELETE CASCADE
);
create index share_links_of_view on share_links USING btree (account_id, saved_view_id) WHERE (saved_view_id IS NOT NULL);

create table shipment_documents (
  account_id uuid not null,
  number text not null,
  kind text not null,
  shipment_id uuid not null,
  constraint shipment_documents_pkey PRIMARY KEY (account_id, number, kind, shipment_id),
  constraint shipment_documents_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index shipment_documents_of_all on shipment_documents USING btree (number, kind);
create index shipment_documents_of_shipment on shipment_documents USING btree (account_id, shipment_id, kind, number);

create table shipment_etas (
  account_id uuid not null,
  shipment_id uuid not null,
  made_at timestamp with time zone not null,
  eta timestamp with time zone not null,
  earliest timestamp with time zone not null,
  latest timestamp with time zone not null,
  unlocode text not null,
  vessel_imo text not null,
  fix_at timestamp with time zone not null,
  remaining_nm real not null,
  speed_knots real not null,
  made_of jsonb,
  constraint shipment_etas_pkey PRIMARY KEY (account_id, shipment_id, made_at),
  constraint shipment_etas_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint shipment_etas_account_id_shipment_id_fkey FOREIGN KEY (account_id, shipment_id) REFERENCES shipments(account_id, id)
);

create table shipments (
  account_id uuid not null,
  id uuid not null,
  scac text not null,
  bill_of_lading_number text not null,
  normalized_number text not null,
  ref_numbers text[] default '{}'::text[] not null,
  tags text[] default '{}'::text[] not null,
  projection jsonb not null,
  tracking_stopped_at timestamp with time zone,
  tracking_stopped_reason text,
  timer_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  own_eta jsonb,
  customer_id uuid,
  last_changed_by jsonb,
  container_ids uuid[] default '{}'::uuid[] not null,
  container_statuses text[] default '{}'::text[] not null,
  pol text generated always as ((projection #>> '{portOfLoading,place,unlocode}'::text[])) stored,
  pod text generated always as ((projection #>> '{portOfDischarge,place,unlocode}'::text[])) stored,
  vessel_imo text generated always as ((projection #>> '{podVessel,imo}'::text[])) stored,
  eta_at timestamp with time zone generated always as (COALESCE(moment_of((projection #> '{portOfDischarge,eta}'::text[]), (projection #>> '{portOfDischarge,place,timeZone}'::text[])), 'infinity'::timestamp with time zone)) stored not null,
  status text generated always as (shipment_status(projection, container_statuses)) stored not null,
  rules integer default 1 not null,
  acts_on date default '2199-12-31'::date not null,
  constraint shipments_pkey PRIMARY KEY (account_id, id),
  constraint shipments_account_id_scac_normalized_number_key UNIQUE (account_id, scac, normalized_number),
  constraint shipments_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
) with (fillfactor=80);
create index shipments_by_arrival on shipments USING btree (account_id, arrives_at(projection) DESC, id);
create index shipments_by_bill on shipments USING btree (account_id, upper((projection ->> 'billOfLadingNumber'::text))) WHERE ((projection ->> 'billOfLadingNumber'::text) IS NOT NULL);
create index shipments_by_booking on shipments USING btree (account_id, upper((projection ->> 'bookingNumber'::text))) WHERE ((projection ->> 'bookingNumber'::text) IS NOT NULL);
create index shipments_by_customer on shipments USING btree (account_id, customer_id, created_at DESC, id) WHERE (customer_id IS NOT NULL);
create index shipments_by_eta on shipments USING btree (account_id, eta_at DESC, id);
create index shipments_by_line on shipments USING btree (account_id, scac, created_at DESC, id);
create index shipments_by_pod on shipments USING btree (account_id, pod, created_at DESC, id) WHERE (pod IS NOT NULL);
create index shipments_by_pol on shipments USING btree (account_id, pol, created_at DESC, id) WHERE (pol IS NOT NULL);
create index shipments_by_status on shipments USING btree (account_id, status, created_at DESC, id);
create index shipments_by_urgency on shipments USING btree (account_id, acts_on DESC, id);
create index shipments_by_vessel on shipments USING btree (account_id, vessel_imo, created_at DESC, id) WHERE (vessel_imo IS NOT NULL);
create index shipments_eta_unknown on shipments USING btree (account_id) WHERE ((tracking_stopped_at IS NULL) AND (status = ANY (ARRAY['pending'::text, 'in_transit'::text])) AND (eta_at = 'infinity'::timestamp with time zone));
create index shipments_freshest on shipments USING btree (account_id, updated_at DESC, id);
create index shipments_labels on shipments USING gin (label_terms(account_id, tags, ref_numbers)) WITH (fastupdate=off) WHERE ((tags <> '{}'::text[]) OR (ref_numbers <> '{}'::text[]));
create index shipments_newest on shipments USING btree (account_id, created_at DESC, id);
create index shipments_quiet on shipments USING btree (account_id, updated_at, id) WHERE ((tracking_stopped_at IS NULL) AND (status = ANY (ARRAY['pending'::text, 'in_transit'::text, 'arrived'::text])));
create index shipments_sailing_later on shipments USING btree (account_id, updated_at DESC, id) WHERE ((tracking_stopped_at IS NULL) AND (status = ANY (ARRAY['pending'::text, 'in_transit'::text])) AND sails_later(projection));
create index shipments_sailing_unknown on shipments USING btree (account_id) WHERE ((tracking_stopped_at IS NULL) AND (status = ANY (ARRAY['pending'::text, 'in_transit'::text])) AND ((projection -> 'originalEtd'::text) = 'null'::jsonb));
create index shipments_stopped on shipments USING btree (account_id, created_at DESC, id) WHERE (tracking_stopped_at IS NOT NULL);
create index shipments_timer on shipments USING btree (timer_at) WHERE (timer_at IS NOT NULL);
create index shipments_tracked on shipments USING btree (account_id, created_at DESC, id) WHERE (tracking_stopped_at IS NULL);
create index shipments_under_way on shipments USING btree (account_id, updated_at DESC, id) WHERE ((tracking_stopped_at IS NULL) AND (status = ANY (ARRAY['pending'::text, 'in_transit'::text])));

create table sign_in_challenges (
  token_hmac bytea not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  attempts_left smallint not null,
  constraint sign_in_challenges_pkey PRIMARY KEY (token_hmac),
  constraint sign_in_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table snapshot_packs (
  id uuid not null,
  made_at timestamp with time zone not null,
  snapshot_ids uuid[] not null,
  bytes integer not null,
  body_bytes bigint not null,
  sha256 bytea not null,
  body bytea,
  moved_at timestamp with time zone,
  constraint snapshot_packs_pkey PRIMARY KEY (id),
  constraint snapshot_packs_body_check CHECK (((body IS NULL) = (moved_at IS NOT NULL)))
);
create index snapshot_packs_in_database on snapshot_packs USING btree (made_at) WHERE (moved_at IS NULL);

create table snapshot_walks (
  is_told boolean not null,
  after_id uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  not_before timestamp with time zone not null,
  constraint snapshot_walks_pkey PRIMARY KEY (is_told)
);

create table step_times (
  account_id uuid not null,
  container_id uuid not null,
  step text not null,
  ordinal smallint not null,
  scac text not null,
  place text,
  hours real not null,
  ended_at timestamp with time zone not null,
  constraint step_times_pkey PRIMARY KEY (account_id, container_id, step, ordinal),
  constraint step_times_account_id_container_id_fkey FOREIGN KEY (account_id, container_id) REFERENCES containers(account_id, id) ON DELETE CASCADE
);
create index step_times_newest on step_times USING btree (account_id, step, scac, ended_at DESC) INCLUDE (hours, place);

create table subjects (
  id uuid not null,
  credential_id uuid not null,
  scac text not null,
  kind text not null,
  number text not null,
  created_at timestamp with time zone not null,
  next_look_at timestamp with time zone,
  lease_token uuid,
  leased_until timestamp with time zone,
  last_attempted_at timestamp with time zone,
  last_succeeded_at timestamp with time zone,
  last_snapshot_id uuid,
  is_unconfirmed boolean default false not null,
  failures integer default 0 not null,
  is_partly_understood boolean,
  urgency smallint default 3 not null,
  dealt_to uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  requests smallint default 1 not null,
  etag text,
  constraint subjects_pkey PRIMARY KEY (id),
  constraint subjects_credential_id_kind_number_key UNIQUE (credential_id, kind, number),
  constraint subjects_kind_check CHECK ((kind = ANY (ARRAY['container'::text, 'bill_of_lading'::text, 'booking'::text]))),
  constraint subjects_credential_id_fkey FOREIGN KEY (credential_id) REFERENCES channels(id)
) with (fillfactor=80);
create index subjects_by_last_answer on subjects USING btree (COALESCE(last_succeeded_at, created_at)) WHERE (next_look_at IS NOT NULL);
create index subjects_due_in_turn on subjects USING btree (credential_id, urgency, dealt_to, next_look_at) WHERE (next_look_at IS NOT NULL);
create index subjects_due_of_line on subjects USING btree (credential_id, next_look_at) WHERE (next_look_at IS NOT NULL);
create index subjects_leased on subjects USING btree (credential_id) WHERE (lease_token IS NOT NULL);

create table tasks (
  id bigint generated always as identity not null,
  account_id uuid not null,
  tracking_request_id uuid not null,
  kind text not null,
  subject_id uuid,
  snapshot_id uuid,
  payload jsonb not null,
  not_before timestamp with time zone default '-infinity'::timestamp with time zone not null,
  lease_token uuid,
  leased_until timestamp with time zone,
  attempts integer default 0 not null,
  last_error text,
  constraint tasks_pkey PRIMARY KEY (account_id, id),
  constraint tasks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index tasks_due on tasks USING btree (account_id, not_before, id);
create index tasks_of_mention on tasks USING btree ((((payload ->> 'mention'::text))::uuid)) WHERE (payload ? 'mention'::text);
create index tasks_of_request on tasks USING btree (account_id, tracking_request_id, id);

create table terminals (
  id uuid not null,
  facility_type text not null,
  is_customs_facility boolean default false not null,
  unlocode text,
  metro_unlocode text,
  name text not null,
  nickname text,
  firms_code text,
  former_firms_code text,
  smdg_code text,
  bic_facility_code text,
  rail_carrier_scac text,
  street text,
  city text,
  state_abbr text,
  zip text,
  country_code text not null,
  latitude double precision,
  longitude double precision,
  time_zone text,
  plain_names text not null,
  words tsvector generated always as (array_to_tsvector(string_to_array(translate(plain_names, '|'::text, ' '::text), ' '::text))) stored not null,
  origin text not null,
  edition text not null,
  retired_at timestamp with time zone,
  constraint terminals_pkey PRIMARY KEY (id),
  constraint terminals_facility_type_check CHECK ((facility_type = ANY (ARRAY['ocean_terminal'::text, 'rail_terminal'::text, 'off_dock'::text])))
);
create index terminals_at on terminals USING btree (unlocode);
create index terminals_by_code on terminals USING btree (smdg_code) WHERE (smdg_code IS NOT NULL);
create index terminals_by_firms on terminals USING btree (firms_code) WHERE (firms_code IS NOT NULL);
create index terminals_imported on terminals USING btree (id) WHERE (origin <> 'shipped'::text);
create index terminals_of_metro on terminals USING btree (metro_unlocode) WHERE (metro_unlocode IS NOT NULL);
create index terminals_words on terminals USING gin (words) WITH (fastupdate=off);

create table told_moves (
  account_id uuid not null,
  shipment_id uuid not null,
  locode text not null,
  moved_at timestamp with time zone not null,
  constraint told_moves_pkey PRIMARY KEY (account_id, shipment_id, locode)
);
create index told_moves_newest on told_moves USING btree (account_id, moved_at DESC, shipment_id);

create table told_requests (
  account_id uuid not null,
  tracking_request_id uuid not null,
  scac text not null,
  is_fiction boolean not null,
  constraint told_requests_pkey PRIMARY KEY (account_id, tracking_request_id),
  constraint told_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index told_requests_of_line on told_requests USING btree (scac, is_fiction, account_id);

create table told_ships (
  account_id uuid not null,
  shipment_id uuid not null,
  told_at timestamp with time zone not null,
  constraint told_ships_pkey PRIMARY KEY (account_id, shipment_id)
);
create index told_ships_newest on told_ships USING btree (account_id, told_at DESC, shipment_id);

create table tracking_requests (
  account_id uuid not null,
  id uuid not null,
  request_type text not null,
  request_number text not null,
  number text not null,
  scac text,
  subject_id uuid,
  shipment_id uuid,
  status text not null,
  failed_reason text,
  lifecycle jsonb not null,
  is_retrying boolean default false not null,
  retry_count integer,
  ref_numbers text[] default '{}'::text[] not null,
  shipment_tags text[] default '{}'::text[] not null,
  timer_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  customer_id uuid,
  last_changed_by jsonb,
  has_initial_fields boolean default false not null,
  constraint tracking_requests_pkey PRIMARY KEY (account_id, id),
  constraint tracking_requests_request_type_check CHECK ((request_type = ANY (ARRAY['bill_of_lading'::text, 'booking_number'::text, 'container'::text]))),
  constraint tracking_requests_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'awaiting_manifest'::text, 'created'::text, 'failed'::text, 'tracking_stopped'::text]))),
  constraint tracking_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint tracking_requests_account_id_shipment_id_fkey FOREIGN KEY (account_id, shipment_id) REFERENCES shipments(account_id, id),
  constraint tracking_requests_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES subjects(id)
) with (fillfactor=80);
create index tracking_requests_by_line on tracking_requests USING btree (account_id, scac, created_at DESC, id);
create index tracking_requests_by_number on tracking_requests USING btree (account_id, number);
create index tracking_requests_by_request_number on tracking_requests USING btree (account_id, upper(request_number));
create index tracking_requests_by_status on tracking_requests USING btree (account_id, status, created_at DESC, id);
create index tracking_requests_freshest on tracking_requests USING btree (account_id, updated_at DESC, id);
create index tracking_requests_labels on tracking_requests USING gin (label_terms(account_id, shipment_tags, ref_numbers)) WITH (fastupdate=off) WHERE ((shipment_tags <> '{}'::text[]) OR (ref_numbers <> '{}'::text[]));
create unique index tracking_requests_live on tracking_requests USING btree (account_id, scac, request_type, number) WHERE ((status = ANY (ARRAY['pending'::text, 'awaiting_manifest'::text, 'created'::text])) AND (scac <> 'TEST'::text));
create index tracking_requests_newest on tracking_requests USING btree (account_id, created_at DESC, id);
create index tracking_requests_of_shipment on tracking_requests USING btree (account_id, shipment_id);
create index tracking_requests_of_subject on tracking_requests USING btree (subject_id);
create index tracking_requests_searched on tracking_requests USING btree (number) WHERE ((shipment_id IS NULL) AND (status = ANY (ARRAY['pending'::text, 'awaiting_manifest'::text])));
create index tracking_requests_timer on tracking_requests USING btree (timer_at) WHERE (timer_at IS NOT NULL);

create table transport_events (
  account_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  container_id uuid not null,
  event text not null,
  call_key text,
  occurs_at timestamp with time zone,
  time_zone text,
  unlocode text,
  terminal_id uuid,
  vessel_imo text,
  vessel_name text,
  voyage_number text,
  data_source text not null,
  value text,
  source_claim_id uuid,
  previous_version_id uuid,
  milestone jsonb,
  created_at timestamp with time zone not null,
  invalidated_at timestamp with time zone,
  constraint transport_events_pkey PRIMARY KEY (account_id, id),
  constraint transport_events_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
) with (fillfactor=80);
create index transport_events_by_place on transport_events USING btree (account_id, unlocode, created_at DESC, id) WHERE (unlocode IS NOT NULL);
create index transport_events_by_vessel on transport_events USING btree (account_id, vessel_imo, created_at DESC) WHERE (vessel_imo IS NOT NULL);
create index transport_events_by_voyage on transport_events USING btree (account_id, voyage_number) WHERE (voyage_number IS NOT NULL);
create index transport_events_newest on transport_events USING btree (account_id, created_at DESC, id);
create index transport_events_of_container on transport_events USING btree (account_id, container_id, occurs_at);
create index transport_events_of_shipment on transport_events USING btree (account_id, shipment_id);

create table unlabelled (
  account_id uuid not null,
  part text default 'shipments'::text not null,
  after_id uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  constraint unlabelled_pkey PRIMARY KEY (account_id),
  constraint unlabelled_part_check CHECK ((part = ANY (ARRAY['shipments'::text, 'tracking_requests'::text]))),
  constraint unlabelled_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table unread_jumps (
  credential_id uuid not null,
  began_at timestamp with time zone not null,
  share_before double precision not null,
  share_now double precision not null,
  example jsonb not null,
  constraint unread_jumps_pkey PRIMARY KEY (credential_id),
  constraint unread_jumps_credential_id_fkey FOREIGN KEY (credential_id) REFERENCES channels(id)
);

create table uploads (
  account_id uuid not null,
  id uuid not null,
  file_name text not null,
  content_type text,
  byte_size bigint not null,
  md5 bytea not null,
  created_at timestamp with time zone not null,
  uploaded_at timestamp with time zone,
  used_at timestamp with time zone,
  constraint uploads_pkey PRIMARY KEY (account_id, id),
  constraint uploads_byte_size_check CHECK ((byte_size > 0)),
  constraint uploads_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index uploads_oldest on uploads USING btree (created_at);

create table usage_months (
  account_id uuid not null,
  month date not null,
  tracking_requests bigint not null,
  shipments bigint not null,
  containers bigint not null,
  events bigint not null,
  deliveries bigint not null,
  documents bigint not null,
  document_bytes bigint not null,
  counted_to timestamp with time zone not null,
  constraint usage_months_pkey PRIMARY KEY (account_id, month),
  constraint usage_months_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table user_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  constraint user_identities_pkey PRIMARY KEY (issuer, subject),
  constraint user_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
create index user_identities_of_user on user_identities USING btree (user_id);

create table users (
  id uuid not null,
  email text not null,
  email_key text not null,
  name text not null,
  password_hash text not null,
  password_changed_at timestamp with time zone not null,
  totp_sealed bytea,
  totp_pending_sealed bytea,
  totp_last_step bigint,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key_key UNIQUE (email_key)
);

create table vessel_last_positions (
  is_fiction boolean not null,
  imo text not null,
  heard_at timestamp with time zone not null,
  latitude double precision not null,
  longitude double precision not null,
  speed_knots real,
  course_degrees real,
  source text not null,
  constraint vessel_last_positions_pkey PRIMARY KEY (is_fiction, imo)
) with (fillfactor=70);

create table vessel_positions (
  is_fiction boolean not null,
  imo text not null,
  heard_at timestamp with time zone not null,
  latitude double precision not null,
  longitude double precision not null,
  speed_knots real,
  course_degrees real,
  source text not null,
  constraint vessel_positions_pkey PRIMARY KEY (is_fiction, imo, heard_at)
) partition by RANGE (heard_at);

create table vessel_positions_default partition of vessel_positions DEFAULT;

create table vessel_radios (
  is_fiction boolean not null,
  mmsi text not null,
  imo text not null,
  name text,
  call_sign text,
  heard_at timestamp with time zone not null,
  constraint vessel_radios_pkey PRIMARY KEY (is_fiction, mmsi)
);

create table vessels (
  id uuid not null,
  imo text not null,
  mmsi text,
  name text not null,
  former_names text[] default '{}'::text[] not null,
  plain_names text not null,
  words tsvector generated always as (array_to_tsvector(string_to_array(translate(plain_names, '|'::text, ' '::text), ' '::text))) stored not null,
  origin text not null,
  edition text not null,
  retired_at timestamp with time zone,
  constraint vessels_pkey PRIMARY KEY (id),
  constraint vessels_imo_key UNIQUE (imo),
  constraint vessels_imo_check CHECK ((imo ~ '^[0-9]{7}$'::text))
);
create index vessels_by_mmsi on vessels USING btree (mmsi) WHERE (mmsi IS NOT NULL);
create index vessels_by_name on vessels USING btree (plain_names, imo) WHERE (retired_at IS NULL);
create index vessels_imported on vessels USING btree (imo) WHERE (origin <> 'shipped'::text);
create index vessels_words on vessels USING gin (words) WITH (fastupdate=off);

create table wanted_requests (
  mention_id uuid not null,
  channel_id uuid not null,
  account_id uuid not null,
  kind text not null,
  number text not null,
  status text default 'waiting'::text not null,
  reason text,
  not_before timestamp with time zone not null,
  tracking_request_id uuid,
  noted_at timestamp with time zone not null,
  made_at timestamp with time zone,
  lease_token uuid,
  constraint wanted_requests_pkey PRIMARY KEY (mention_id),
  constraint wanted_requests_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'made'::text, 'known'::text, 'refused'::text]))),
  constraint wanted_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint wanted_requests_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id),
  constraint wanted_requests_mention_id_fkey FOREIGN KEY (mention_id) REFERENCES mentions(id)
);
create index wanted_requests_due on wanted_requests USING btree (not_before) WHERE (status = 'waiting'::text);
create index wanted_requests_made on wanted_requests USING btree (account_id, tracking_request_id) WHERE (tracking_request_id IS NOT NULL);
create index wanted_requests_of_channel on wanted_requests USING btree (channel_id, made_at) WHERE (status = 'made'::text);

create table webhook_notification_logs (
  account_id uuid not null,
  notification_id uuid not null,
  id uuid not null,
  attempt integer not null,
  status_code integer,
  error text,
  address text,
  duration_ms integer not null,
  response_body text,
  created_at timestamp with time zone not null,
  next_attempt_at timestamp with time zone
) partition by RANGE (created_at);

create table webhook_notification_logs_default partition of webhook_notification_logs DEFAULT;

create table webhook_notifications (
  account_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event text not null,
  sequence bigint not null,
  lane_id uuid not null,
  delivery_status text default 'pending'::text not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone,
  lease_token uuid,
  leased_until timestamp with time zone,
  body bytea,
  created_at timestamp with time zone not null,
  schedule_from integer default 0 not null,
  constraint webhook_notifications_delivery_status_check CHECK ((delivery_status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text]))),
  constraint webhook_notifications_account_id_webhook_id_fkey1 FOREIGN KEY (account_id, webhook_id) REFERENCES webhooks(account_id, id) ON DELETE CASCADE
) partition by RANGE (created_at);
create index webhook_notifications_by_event on webhook_notifications USING btree (account_id, event, created_at DESC, id);
create index webhook_notifications_by_webhook on webhook_notifications USING btree (account_id, webhook_id, created_at DESC, id);
create index webhook_notifications_lane on webhook_notifications USING btree (webhook_id, lane_id, sequence) WHERE ((delivery_status = 'pending'::text) AND (attempts = 0));
create index webhook_notifications_newest on webhook_notifications USING btree (account_id, created_at DESC, id);
create index webhook_notifications_of_event on webhook_notifications USING btree (account_id, event_id);
create index webhook_notifications_queue on webhook_notifications USING btree (account_id, webhook_id, next_attempt_at) WHERE ((delivery_status = 'pending'::text) AND (next_attempt_at IS NOT NULL));
create index webhook_notifications_unfinished on webhook_notifications USING btree (account_id, delivery_status, created_at DESC, id) WHERE (delivery_status <> 'succeeded'::text);
create index webhook_notifications_with_body on webhook_notifications USING btree (created_at) WHERE ((body IS NOT NULL) AND (delivery_status <> 'pending'::text));

create table webhook_notifications_default partition of webhook_notifications DEFAULT;

create table webhook_payloads (
  account_id uuid not null,
  event_id uuid not null,
  variant text not null,
  body bytea not null,
  stored_at timestamp with time zone not null,
  constraint webhook_payloads_pkey PRIMARY KEY (account_id, event_id, variant)
);
create index webhook_payloads_by_time on webhook_payloads USING btree (stored_at);

create table webhook_secrets (
  account_id uuid not null,
  webhook_id uuid not null,
  id uuid not null,
  secret_sealed bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  constraint webhook_secrets_pkey PRIMARY KEY (account_id, webhook_id, id),
  constraint webhook_secrets_account_id_webhook_id_fkey FOREIGN KEY (account_id, webhook_id) REFERENCES webhooks(account_id, id) ON DELETE CASCADE
);

create table webhooks (
  account_id uuid not null,
  id uuid not null,
  url text not null,
  is_active boolean not null,
  events text[] not null,
  headers jsonb,
  failing_since timestamp with time zone,
  disabled_reason text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  content_type text,
  signature_headers text[],
  format text,
  narrowing jsonb,
  edi_ids jsonb,
  constraint webhooks_pkey PRIMARY KEY (account_id, id),
  constraint webhooks_format_check CHECK ((format = ANY (ARRAY['dcsa_2'::text, 'dcsa_3'::text, 'x12_315'::text, 'iftsta'::text]))),
  constraint webhooks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
create index webhooks_active on webhooks USING btree (account_id) WHERE is_active;

create table workers (
  id integer generated always as identity not null,
  sessions text not null,
  host text not null,
  pid integer not null,
  role text not null,
  version text not null,
  started_at timestamp with time zone not null,
  heartbeat_at timestamp with time zone not null,
  constraint workers_pkey PRIMARY KEY (id)
);

create view credentials as
 SELECT id,
    account_id,
    scac,
    source,
    profile,
    secret_sealed,
    is_fiction,
    is_enabled,
    next_slot_at,
    created_at,
    left_alone_until,
    refusals
   FROM channels
  WHERE is_asked;

create view looks as
 SELECT day_looks.subject_id,
    day_looks.id,
    day_looks.started_at,
    day_looks.ended_at,
    day_looks.duration_ms,
    day_looks.outcome,
    day_looks.status_code,
    day_looks.detail,
    day_looks.snapshot_id,
    day_looks.is_unchanged,
    day_looks.attempted_at,
    day_looks.credential_id,
    day_looks.events_told,
    day_looks.events_aside,
    day_looks.events_understood,
    day_looks.events_lost,
    day_looks.unread
   FROM day_looks
UNION ALL
 SELECT looks_before.subject_id,
    looks_before.id,
    looks_before.started_at,
    looks_before.ended_at,
    looks_before.duration_ms,
    looks_before.outcome,
    looks_before.status_code,
    looks_before.detail,
    looks_before.snapshot_id,
    looks_before.is_unchanged,
    looks_before.attempted_at,
    looks_before.credential_id,
    looks_before.events_told,
    looks_before.events_aside,
    looks_before.events_understood,
    looks_before.events_lost,
    looks_before.unread
   FROM looks_before;

create view snapshots as
 SELECT id,
    subject_id,
    content_hash,
    status,
    content_type,
    body,
    recorded_at
   FROM kept_snapshots
  WHERE (body IS NOT NULL);

CREATE TRIGGER asked_numbers_ring AFTER UPDATE ON public.asked_numbers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ring_for_asked_numbers();

CREATE TRIGGER asked_numbers_ring_gone AFTER DELETE ON public.asked_numbers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION ring_for_asked_numbers();

CREATE TRIGGER asked_numbers_ring_new AFTER INSERT ON public.asked_numbers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ring_for_asked_numbers();

CREATE TRIGGER audit_events_append_only BEFORE DELETE OR UPDATE ON public.audit_events FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER channels_ring AFTER UPDATE OF next_slot_at, left_alone_until, refusals, is_enabled, profile, asking ON public.channels FOR EACH ROW EXECUTE FUNCTION ring_for_channel();

CREATE TRIGGER containers_came AFTER INSERT ON public.containers REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION containers_gathered();

CREATE TRIGGER containers_charges AFTER INSERT OR UPDATE ON public.containers FOR EACH ROW EXECUTE FUNCTION note_charges_of_box();

CREATE TRIGGER containers_expected AFTER INSERT OR UPDATE OF projection ON public.containers FOR EACH ROW EXECUTE FUNCTION note_expectation_of_container();

CREATE TRIGGER containers_labelled AFTER INSERT ON public.containers FOR EACH ROW EXECUTE FUNCTION label_container();

CREATE TRIGGER containers_labelled_anew AFTER UPDATE ON public.containers FOR EACH ROW WHEN (((old.shipment_id IS DISTINCT FROM new.shipment_id) OR (old.ref_numbers IS DISTINCT FROM new.ref_numbers))) EXECUTE FUNCTION label_container();

CREATE TRIGGER containers_labels_moved AFTER UPDATE ON public.containers FOR EACH ROW WHEN ((old.updated_at IS DISTINCT FROM new.updated_at)) EXECUTE FUNCTION move_labels();

CREATE TRIGGER containers_line BEFORE INSERT ON public.containers FOR EACH ROW WHEN ((new.scac IS NULL)) EXECUTE FUNCTION container_line();

CREATE TRIGGER containers_moved AFTER UPDATE ON public.containers FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) OR (old.acts_on IS DISTINCT FROM new.acts_on))) EXECUTE FUNCTION container_gathered();

CREATE TRIGGER containers_search_gone AFTER DELETE ON public.containers FOR EACH ROW EXECUTE FUNCTION search_gone('container');

CREATE TRIGGER containers_searched AFTER INSERT ON public.containers FOR EACH ROW EXECUTE FUNCTION search_container();

CREATE TRIGGER containers_searched_anew AFTER UPDATE OF number, ref_numbers ON public.containers FOR EACH ROW WHEN (((old.number IS DISTINCT FROM new.number) OR (old.ref_numbers IS DISTINCT FROM new.ref_numbers))) EXECUTE FUNCTION search_container();

CREATE TRIGGER containers_unlabelled AFTER DELETE ON public.containers FOR EACH ROW EXECUTE FUNCTION unlabel();

CREATE TRIGGER containers_went AFTER DELETE ON public.containers REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION containers_gathered();

CREATE TRIGGER ledger_of_older_rules AFTER INSERT ON public.ledger FOR EACH ROW WHEN (((new.rules IS NULL) AND (new.shipment_id IS NOT NULL))) EXECUTE FUNCTION note_older_rules();

CREATE TRIGGER looks_insert INSTEAD OF INSERT ON public.looks FOR EACH ROW EXECUTE FUNCTION insert_look();

CREATE TRIGGER shipments_charges AFTER UPDATE ON public.shipments FOR EACH ROW EXECUTE FUNCTION note_charges_of_shipment();

CREATE TRIGGER shipments_etas AFTER UPDATE ON public.shipments FOR EACH ROW WHEN ((((new.projection #>> '{portOfDischarge,ata}'::text[]) IS NOT NULL) OR ((old.projection #>> '{portOfDischarge,ata}'::text[]) IS NOT NULL))) EXECUTE FUNCTION note_etas_of_shipment();

CREATE TRIGGER shipments_etas_new AFTER INSERT ON public.shipments FOR EACH ROW WHEN (((new.projection #>> '{portOfDischarge,ata}'::text[]) IS NOT NULL)) EXECUTE FUNCTION note_etas_of_shipment();

CREATE TRIGGER shipments_expected AFTER UPDATE OF tracking_stopped_at ON public.shipments FOR EACH ROW WHEN ((old.tracking_stopped_at IS DISTINCT FROM new.tracking_stopped_at)) EXECUTE FUNCTION note_expectations_of_shipment();

CREATE TRIGGER shipments_labelled AFTER INSERT ON public.shipments FOR EACH ROW WHEN (((new.tags <> '{}'::text[]) OR (new.ref_numbers <> '{}'::text[]))) EXECUTE FUNCTION label_shipment();

CREATE TRIGGER shipments_labelled_anew AFTER UPDATE ON public.shipments FOR EACH ROW WHEN (((old.tags IS DISTINCT FROM new.tags) OR (old.ref_numbers IS DISTINCT FROM new.ref_numbers) OR (old.created_at IS DISTINCT FROM new.created_at))) EXECUTE FUNCTION label_shipment();

CREATE TRIGGER shipments_search_gone AFTER DELETE ON public.shipments FOR EACH ROW EXECUTE FUNCTION search_gone('shipment');

CREATE TRIGGER shipments_searched AFTER INSERT ON public.shipments FOR EACH ROW EXECUTE FUNCTION search_shipment();

CREATE TRIGGER shipments_searched_anew AFTER UPDATE ON public.shipments FOR EACH ROW WHEN (((old.bill_of_lading_number IS DISTINCT FROM new.bill_of_lading_number) OR (old.normalized_number IS DISTINCT FROM new.normalized_number) OR (old.ref_numbers IS DISTINCT FROM new.ref_numbers) OR ((old.projection ->> 'billOfLadingNumber'::text) IS DISTINCT FROM (new.projection ->> 'billOfLadingNumber'::text)) OR ((old.projection ->> 'bookingNumber'::text) IS DISTINCT FROM (new.projection ->> 'bookingNumber'::text)))) EXECUTE FUNCTION search_shipment();

CREATE TRIGGER shipments_unlabelled AFTER DELETE ON public.shipments FOR EACH ROW EXECUTE FUNCTION unlabel();

CREATE TRIGGER subjects_ring AFTER UPDATE ON public.subjects REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ring_for_subjects();

CREATE TRIGGER subjects_ring_new AFTER INSERT ON public.subjects REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ring_for_subjects();

CREATE TRIGGER told_arrival_inserted AFTER INSERT ON public.events FOR EACH ROW WHEN (((new.sequence IS NOT NULL) AND (new.shipment_id IS NOT NULL) AND (new.name = 'shipment.estimated.arrival'::text))) EXECUTE FUNCTION note_told_arrival();

CREATE TRIGGER told_arrival_numbered AFTER UPDATE OF sequence ON public.events FOR EACH ROW WHEN (((new.sequence IS NOT NULL) AND (old.sequence IS NULL) AND (new.shipment_id IS NOT NULL) AND (new.name = 'shipment.estimated.arrival'::text))) EXECUTE FUNCTION note_told_arrival();

CREATE TRIGGER tracking_requests_etas AFTER UPDATE ON public.tracking_requests FOR EACH ROW WHEN (((new.shipment_id IS NOT NULL) AND (old.shipment_id IS DISTINCT FROM new.shipment_id))) EXECUTE FUNCTION note_etas_of_request();

CREATE TRIGGER tracking_requests_labelled AFTER INSERT ON public.tracking_requests FOR EACH ROW WHEN (((new.shipment_tags <> '{}'::text[]) OR (new.ref_numbers <> '{}'::text[]))) EXECUTE FUNCTION label_tracking_request();

CREATE TRIGGER tracking_requests_labelled_anew AFTER UPDATE ON public.tracking_requests FOR EACH ROW WHEN (((old.shipment_tags IS DISTINCT FROM new.shipment_tags) OR (old.ref_numbers IS DISTINCT FROM new.ref_numbers) OR (old.created_at IS DISTINCT FROM new.created_at))) EXECUTE FUNCTION label_tracking_request();

CREATE TRIGGER tracking_requests_search_gone AFTER DELETE ON public.tracking_requests FOR EACH ROW EXECUTE FUNCTION search_gone('tracking_request');

CREATE TRIGGER tracking_requests_searched AFTER INSERT ON public.tracking_requests FOR EACH ROW EXECUTE FUNCTION search_tracking_request();

CREATE TRIGGER tracking_requests_searched_anew AFTER UPDATE OF request_number, number, ref_numbers ON public.tracking_requests FOR EACH ROW WHEN (((old.request_number IS DISTINCT FROM new.request_number) OR (old.number IS DISTINCT FROM new.number) OR (old.ref_numbers IS DISTINCT FROM new.ref_numbers))) EXECUTE FUNCTION search_tracking_request();

CREATE TRIGGER tracking_requests_unlabelled AFTER DELETE ON public.tracking_requests FOR EACH ROW EXECUTE FUNCTION unlabel();
