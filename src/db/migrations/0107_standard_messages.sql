-- Track & Trace for others. Their systems ask for what is new since a moment, for a place, or for a voyage, and name a
-- shipment by its bill or booking as its papers give it.
create index transport_events_newest on transport_events (account_id, created_at desc, id);
create index transport_events_by_place on transport_events (account_id, unlocode, created_at desc, id)
  where unlocode is not null;
create index transport_events_by_voyage on transport_events (account_id, voyage_number)
  where voyage_number is not null;
create index shipments_by_bill on shipments (account_id, upper(projection ->> 'billOfLadingNumber'))
  where projection ->> 'billOfLadingNumber' is not null;
create index shipments_by_booking on shipments (account_id, upper(projection ->> 'bookingNumber'))
  where projection ->> 'bookingNumber' is not null;

-- Who is told in a form other than our own documents, and about which moves only. Null: our documents, about all.
alter table webhooks
  add column format text check (format in ('dcsa_2', 'dcsa_3', 'x12_315', 'iftsta')),
  add column narrowing jsonb;
