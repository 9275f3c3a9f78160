-- The feed narrowed to one shipment (or one of its containers) or one request: read in the order of the numbers, without
-- going through the account's other events.
create index events_of_shipment on events (account_id, shipment_id, sequence)
  where sequence is not null and shipment_id is not null;
create index events_of_request on events (account_id, tracking_request_id, sequence)
  where sequence is not null and tracking_request_id is not null;
