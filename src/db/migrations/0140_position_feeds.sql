-- What is known of each feed of ships' positions: written every minute by the process that listens.
create table position_feeds (
  is_fiction boolean not null,
  -- The kind of feed and, from the second of a kind on, its number: `nmea`, `nmea-2`.
  name text not null,
  -- Since when the connection is open; null while there is none.
  connected_at timestamptz,
  -- Why the last connection ended.
  ended_because text,
  heard_at timestamptz,
  -- Messages in an ordinary window of LANDFALL_AIS_SILENT_MINUTES; null until it is known.
  usual real,
  silent_since timestamptz,
  written_at timestamptz not null,
  primary key (is_fiction, name)
);
