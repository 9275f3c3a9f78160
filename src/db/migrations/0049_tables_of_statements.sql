-- A table may hold statements about containers: they are sent through a channel of the account.
alter table imports
  add column channel_id uuid references channels (id);
alter table import_rows
  -- What became of a row of statements; null for one that says nothing, and for one that asks for a request.
  add column outcome text check (outcome in ('waiting', 'taken', 'repeated', 'valid')),
  -- The delivery in which its statements were taken in.
  add column message_id uuid references inbound_messages (id);

-- What a shipment is known by: without it every match and join read all documents of the account.
create index shipment_documents_of_shipment on shipment_documents (account_id, shipment_id, kind, number);
-- The next to be looked through, without sorting all that wait: a large import leaves tens of thousands.
create index joins_in_order on joins (noted_at);
