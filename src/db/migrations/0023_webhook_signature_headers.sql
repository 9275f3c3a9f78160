-- Under which names a webhook is sent the plain signature; null for the installation's.
alter table webhooks add column signature_headers text[];
