-- The fleet map names the earliest last free day of the containers of a ship or place: `free_on` is read from the index.
drop index containers_under_way;
create index containers_under_way on containers (account_id, status, whereabouts, shipment_id)
  include (eta_at, vessel_imo, id, free_on)
  where status in ('new', 'loaded', 'on_ship', 'grounded', 'available', 'not_available', 'awaiting_inland_transfer',
                   'on_rail', 'off_dock');
