-- Where ships were heard: at most one fix for each ship in so many minutes, by month, so that old months are dropped whole.
-- Ships are those of the real world or of the sandbox's; the two never meet. Times are the journey clock's.
create table vessel_positions (
  is_fiction      boolean not null,
  imo             text not null,
  heard_at        timestamptz not null,
  latitude        double precision not null,
  longitude       double precision not null,
  speed_knots     real,
  course_degrees  real,
  -- Which feed: aisstream, nmea.
  source          text not null,
  primary key (is_fiction, imo, heard_at)
) partition by range (heard_at);
-- What no month was made for yet; a fix is never lost for want of a partition.
create table vessel_positions_default partition of vessel_positions default;

-- The last stored fix of each ship: its row is the lock that keeps two processes from storing two within the minutes.
create table vessel_last_positions (
  is_fiction      boolean not null,
  imo             text not null,
  heard_at        timestamptz not null,
  latitude        double precision not null,
  longitude       double precision not null,
  speed_knots     real,
  course_degrees  real,
  source          text not null,
  primary key (is_fiction, imo)
) with (fillfactor = 70);

-- Which ship a radio (MMSI) said it is aboard, by its last static message: radios move from ship to ship.
create table vessel_radios (
  is_fiction  boolean not null,
  mmsi        text not null,
  imo         text not null,
  name        text,
  call_sign   text,
  heard_at    timestamptz not null,
  primary key (is_fiction, mmsi)
);

-- One process at a time listens to a feed. Real clock.
create table feed_leases (
  name          text primary key,
  lease_token   uuid,
  leased_until  timestamptz
);

-- When Landfall itself expects a shipment at its port of discharge, and of what that was made. Beside what the line says.
create table shipment_etas (
  account_id      uuid not null references accounts,
  shipment_id     uuid not null,
  -- Journey clock.
  made_at         timestamptz not null,
  eta             timestamptz not null,
  -- The band in which the measured errors of such estimates lie: one in ten earlier, one in ten later.
  earliest        timestamptz not null,
  latest          timestamptz not null,
  unlocode        text not null,
  vessel_imo      text not null,
  fix_at          timestamptz not null,
  remaining_nm    real not null,
  speed_knots     real not null,
  primary key (account_id, shipment_id, made_at),
  foreign key (account_id, shipment_id) references shipments
);

-- The newest of them, where the shipment is read. No part of the ledger.
alter table shipments add column own_eta jsonb;

-- The boxes on board by the ship that last took them, for a fix of that ship. What is no longer on board is not in it.
create index containers_aboard on containers (
  (jsonb_path_query_array(projection, '$.milestones[*] ? (@.kind == "actual").vessel.imo ? (@ != null)') ->> -1)
) where status = 'on_ship';
