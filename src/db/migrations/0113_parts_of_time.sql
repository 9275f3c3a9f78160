-- One way for all tables that lie in parts of time: looks and attempts to deliver by days, positions and notifications by
-- months (UTC, of the real clock). Parts are made and dropped by functions that run as their owner, so that whoever serves
-- needs no right to create or drop a table. None of them waits long for a lock, for others would wait behind it: it fails, and
-- is tried again.

-- Which tables, and how long a part is.
create function time_part_width(whole text) returns interval language plpgsql immutable as $$
begin
  case
    when whole in ('day_looks', 'webhook_notification_logs') then return '1 day';
    when whole in ('vessel_positions', 'webhook_notifications') then return '1 month';
    else raise exception '% does not lie in parts of time', whole;
  end case;
end $$;

-- `ends_at` of the default partition is null; the part from before there were parts begins at -infinity.
create function time_parts(whole text) returns table (name text, starts_at timestamptz, ends_at timestamptz)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select c.relname::text,
         coalesce((regexp_match(b.bound, 'FROM \(''([^'']+)''\)'))[1]::timestamptz, '-infinity'),
         (regexp_match(b.bound, 'TO \(''([^'']+)''\)'))[1]::timestamptz
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
   cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
   where i.inhparent = to_regclass(format('public.%I', whole))
$$;

create function time_column(whole text) returns name
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select a.attname from pg_partitioned_table p
    join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
   where p.partrelid = to_regclass(format('public.%I', whole))
$$;

-- Makes a table of the shape of a partition. Its primary key need not have the time in it, as one of the whole would.
create function make_like_part(whole text, name text) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
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
end $$;

-- Tables of which the part before all others has whatever is older. So nothing of the past is in the default partition, and
-- PostgreSQL reads the parts one after the other, in the order of time, until a page of a list is full.
create function has_part_before(whole text) returns boolean language sql immutable
return whole in ('webhook_notifications', 'webhook_notification_logs');

-- Rows of the default partition move into the part.
create function attach_time_part(whole text, name text, starts timestamptz, ends timestamptz) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
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
end $$;

-- Makes the part that has this day; false when it was there, or what there is still lies in one part until later. Rows that
-- had gone to the default partition meanwhile move into it.
create function make_time_part(whole text, day date) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '300ms' as $$
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
end $$;

-- Of these days, the first days of parts that are to be made; and the first days of parts that rows of the default partition
-- wait for, from `since` on.
create function missing_time_parts(whole text, wanted date[], since timestamptz) returns setof date
language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
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
end $$;

-- Drops the oldest part; false when it is not there. Looks are dropped when they are folded, by `drop_looks_part`.
create function drop_time_part(whole text, part text) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '300ms' as $$
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
end $$;

-- A table from before there were parts is the default partition at first: so nothing of it is read, checked or written anew
-- by the migration, however many rows it has. Then it is bounded, step by step, and becomes a part like any other: each call
-- does one step and returns its name, null when nothing is left to do. Until a bound is checked, rows behind it are refused,
-- so it lies days ahead, and goes when it comes near.
create function cut_time_parts(whole text, now timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '300ms' as $$
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
end $$;

revoke execute on function make_time_part(text, date), drop_time_part(text, text), cut_time_parts(text, timestamptz)
  from public;

-- Programs of before call these.
create or replace function make_looks_day(day date) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '300ms' as $$
begin
  if public.make_time_part('day_looks', day) then
    insert into public.look_parts (part, ends_at)
    values (to_char(day, 'YYYYMMDD'), (day + 1)::timestamp at time zone 'UTC')
    on conflict (part) do update
       set folded_to = '00000000-0000-0000-0000-000000000000', folded_at = null, dropped_at = null;
  end if;
end $$;
create or replace function make_positions_month(month date) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select public.make_time_part('vessel_positions', month);
$$;
