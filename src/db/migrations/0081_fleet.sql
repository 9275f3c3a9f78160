-- Where a box is, for a map of all that is under way: the ship of the last thing that happened with it while it is on
-- one, else the terminal or place of that. `containers_aboard` has the first of the two in the same words.
-- Adding the column writes the table anew, under a lock: stop the workers first where there are millions of boxes.
alter table containers
  add column whereabouts text generated always as (
    case when status = 'on_ship'
      then jsonb_path_query_array(projection, '$.milestones[*] ? (@.kind == "actual").vessel.imo ? (@ != null)') ->> -1
      else coalesce(
        jsonb_path_query_array(projection, '$.milestones[*] ? (@.kind == "actual").place') #>> '{-1,terminalId}',
        jsonb_path_query_array(projection, '$.milestones[*] ? (@.kind == "actual").place') #>> '{-1,unlocode}')
    end) stored;

-- What the map reads, without the table: boxes that are picked up or returned are not in it, and so it does not grow
-- with the years.
create index containers_under_way on containers (account_id, status, whereabouts, shipment_id)
  include (eta_at, vessel_imo, id)
  where status in ('new', 'loaded', 'on_ship', 'grounded', 'available', 'not_available', 'awaiting_inland_transfer',
                   'on_rail', 'off_dock');
