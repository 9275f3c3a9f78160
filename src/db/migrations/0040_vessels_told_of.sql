-- The ships that lines told an account of, from ship to ship: those in no list are found by the name that was told.
create index transport_events_by_vessel on transport_events (account_id, vessel_imo, created_at desc)
  where vessel_imo is not null;
