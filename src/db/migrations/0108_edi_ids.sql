-- The names in the envelope of each EDI interchange, for webhooks that are sent EDI.
alter table webhooks add column edi_ids jsonb;
