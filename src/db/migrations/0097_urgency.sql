-- The day by which somebody has to act on a box, or since which: its last free day ends, it is held at its terminal or
-- ramp, or it waits for its train. Boxes that need nobody, as far as is known, have a day far ahead, and those that
-- are out or returned have infinity. A list in this order puts the most urgent first without reading the others. The
-- reasons are those of the attention list.
-- Adding the column writes the table anew, under a lock: stop the workers first where there are millions of boxes.
create function acts_on(projection jsonb, status text, held_on date) returns date
  language plpgsql immutable parallel safe as $$
declare
  is_here constant boolean :=
    status in ('grounded', 'available', 'not_available', 'awaiting_inland_transfer', 'on_rail');
  set_down date;
begin
  if status in ('new', 'loaded', 'off_dock') then return '2199-12-31'; end if;
  if not is_here and status <> 'on_ship' then return 'infinity'; end if;
  if is_here then set_down := (discharged_at(projection) at time zone 'UTC')::date; end if;
  return coalesce(least(
    earliest_free_day(projection, status),
    -- Since when a hold is there is not kept: the box could not leave since it was set down.
    case when is_here and hold_names(projection) <> '{}' then coalesce(set_down, held_on) end,
    case when status = 'awaiting_inland_transfer' then set_down + 3 end), '2199-12-31');
end $$;

alter table containers
  add column acts_on date not null
    generated always as (acts_on(projection, status, (updated_at at time zone 'UTC')::date)) stored;
create index containers_by_urgency on containers (account_id, acts_on desc, id);
