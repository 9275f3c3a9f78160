-- A channel of the installation names a number and no account: found without reading every request there ever was.
create index tracking_requests_searched on tracking_requests (number)
  where shipment_id is null and status in ('pending', 'awaiting_manifest');
