-- A partition that another session drops at that moment is still seen in pg_class, and its bound is no longer: it was taken
-- for the default partition, and `missing_time_parts` failed with "query returned more than one row".
create or replace function time_parts(whole text) returns table (name text, starts_at timestamptz, ends_at timestamptz)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  with parts as materialized (
    select c.relname::text as name, pg_get_expr(c.relpartbound, c.oid) as bound
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = to_regclass(format('public.%I', whole)))
  select p.name,
         coalesce((regexp_match(p.bound, 'FROM \(''([^'']+)''\)'))[1]::timestamptz, '-infinity'),
         (regexp_match(p.bound, 'TO \(''([^'']+)''\)'))[1]::timestamptz
    from parts p
   where p.bound is not null
$$;
