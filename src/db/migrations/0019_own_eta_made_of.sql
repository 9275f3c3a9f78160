-- What an estimate of our own was made of: the ship's part, the line's word and its weight, the calls before. Of those
-- made before it was kept nobody knows.
alter table shipment_etas add column made_of jsonb;
