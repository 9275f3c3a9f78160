-- The last free day that counts for people: the earliest that the line, the terminal or the railway has named, or that
-- the account's own terms give (src/domain/view/free-time.ts; a test compares the two).

-- Whether the container has left its port by rail: the last move by ship was followed by a move by rail.
create function public.left_by_rail(projection jsonb) returns boolean
  language plpgsql immutable parallel safe as $$
begin
  return coalesce((
    select max(n) filter (where m ->> 'name' ~ '^rail_') > max(n) filter (where m ->> 'name' ~ '^(vessel|feeder|transshipment)_')
      from jsonb_array_elements(projection -> 'milestones') with ordinality as e(m, n) where m ->> 'kind' = 'actual'), false);
end $$;

-- The last free days of a tally, as `CalculatedFreeDays` of src/domain/view/free-time.ts.
create function public.free_days_of_tally(tally jsonb) returns jsonb language sql immutable parallel safe as $$
  select jsonb_agg(jsonb_build_array(e -> 'slot', e #> '{lastFreeDay,day}', e -> 'code', e -> 'phase')) from jsonb_array_elements(tally -> 'terms') as e
$$;

create or replace function public.earliest_free_day(projection jsonb, status text) returns date
  language plpgsql immutable parallel safe as $$
begin
  -- The terminal's day does not count after the container has left by rail.
  return least(public.given_free_day(projection, 'line'), public.given_free_day(projection, 'rail'),
               case when coalesce(projection #> '{freeTime,terminal}', 'null') <> 'null' and status <> 'on_rail'
                         and not public.left_by_rail(projection) then public.given_free_day(projection, 'terminal') end);
end $$;

create function public.acts_on(projection jsonb, status text, held_on date, free_by_terms_on date) returns date
  language plpgsql immutable parallel safe as $$
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
end $$;

drop trigger containers_moved on containers;
drop index containers_by_free_day;
-- Rewrites the table. `free_by_terms_on`: written when the charges of the container are tallied; null without terms.
alter table containers
  drop column acts_on,
  add column free_by_terms_on date,
  add column free_on date generated always as (coalesce(
    least(public.earliest_free_day(projection, status), free_by_terms_on), 'infinity'::date)) stored not null,
  add column acts_on date generated always as (
    public.acts_on(projection, status, (updated_at at time zone 'UTC'::text)::date, free_by_terms_on)) stored not null;
drop function public.acts_on(jsonb, text, date);
create index containers_by_urgency on containers (account_id, acts_on desc, id);
create index containers_by_free_day on containers (account_id, free_on desc, id);
create trigger containers_moved after update on containers for each row
  when (old.status is distinct from new.status or old.acts_on is distinct from new.acts_on)
  execute function container_gathered();

update shipments s set acts_on = k.acts_on
  from (select c.account_id, c.shipment_id, min(c.acts_on) as acts_on from containers c group by 1, 2) k
 where s.account_id = k.account_id and s.id = k.shipment_id and s.acts_on <> k.acts_on;
-- Each tally writes the day of its container.
update charge_tallies set is_asked = true;
