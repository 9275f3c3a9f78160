-- Months of positions are made and dropped by functions that run as their owner, so that whoever serves needs no right to
-- create or drop a table. Older code, which does it by itself, still can where it is the owner.
create function make_positions_month(month date) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  month_start constant timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
  month_end constant timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC';
  name constant text := 'vessel_positions_' || to_char(month, 'YYYYMM');
begin
  -- One maker at a time; whoever waited sees the table.
  perform pg_advisory_xact_lock(7116100008);
  if exists (select from pg_class c where c.relname = name and c.relnamespace = 'public'::regnamespace) then
    return;
  end if;
  execute format('create table public.%I (like public.vessel_positions'
                 ' including defaults including constraints including indexes)', name);
  -- What had gone to the default partition meanwhile moves over.
  execute format('with moved as (delete from public.vessel_positions_default'
                 '                where heard_at >= %L and heard_at < %L returning *)'
                 'insert into public.%I select * from moved', month_start, month_end, name);
  execute format('alter table public.vessel_positions attach partition public.%I for values from (%L) to (%L)',
                 name, month_start, month_end);
end $$;

-- Drops the months that ended before; returns them as 2026-01.
create function drop_positions_months(before timestamptz) returns setof text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
end $$;

revoke execute on function make_positions_month(date), drop_positions_months(timestamptz) from public;
