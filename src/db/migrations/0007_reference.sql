-- Places, terminals and ships: as shipped, and as the operator's imports change them. Ids follow from the natural key,
-- so they are the same in every installation. Nothing is deleted, only retired: what is stored already still names it.
-- origin 'shipped': the row is what our file says, and a newer file may change it. Any other origin (smdg, unlocode,
-- firms, vessels) is the operator's import: no file of ours touches it any more.

-- What was loaded, one row each time; the newest row of a file is what is in use.
create table reference_editions (
  number       bigint generated always as identity primary key,
  origin       text not null,
  file         text not null,
  edition      text not null,
  sha256       text not null,
  -- Of the program that read the file: another reading of the same bytes is another edition.
  format       integer not null,
  rows         integer not null,
  added        integer not null,
  changed      integer not null,
  retired      integer not null,
  publisher    text,
  licence      text,
  -- Real clock.
  loaded_at    timestamptz not null,
  loaded_by    text not null
);
create index reference_editions_in_use on reference_editions (origin, file, number desc);

create table places (
  id                 uuid primary key,
  unlocode           text not null unique check (unlocode ~ '^[A-Z]{2}[A-Z2-9]{3}$'),
  name               text not null,
  city               text,
  subdivision        text,
  country_code       text not null,
  time_zone          text,
  latitude           double precision,
  longitude          double precision,
  coordinate_source  text,
  -- Null, or why the list's own coordinate is not believed: country, sea, border.
  coordinate_doubt   text,
  kind               text not null check (kind in ('port', 'metro_area')),
  -- Names as plainName writes them, parted by '|', our own first.
  plain_names        text not null,
  words              tsvector not null generated always as
                       (array_to_tsvector(string_to_array(translate(plain_names, '|', ' '), ' '))) stored,
  origin             text not null,
  edition            text not null,
  retired_at         timestamptz
);
-- Without a list of pending entries, which after a load is so long that a search reads the table instead (54 ms, not 0.1).
create index places_words on places using gin (words) with (fastupdate = off);
create index places_code_prefix on places (unlocode text_pattern_ops);
create index places_by_name on places (kind, plain_names, unlocode) where retired_at is null;
create index places_imported on places (unlocode) where origin <> 'shipped';

-- Codes that stand for another place: CNSHA is CNSHG.
create table place_aliases (
  alias       text primary key,
  unlocode    text not null,
  name        text not null,
  origin      text not null,
  edition     text not null,
  retired_at  timestamptz
);
create index place_aliases_of on place_aliases (unlocode);

-- Ocean terminals, rail ramps, and the other facilities that customs lists (is_customs_facility).
create table terminals (
  id                   uuid primary key,
  facility_type        text not null check (facility_type in ('ocean_terminal', 'rail_terminal', 'off_dock')),
  is_customs_facility  boolean not null default false,
  -- Canonical code of its port or city; the metropolitan area that a ramp serves.
  unlocode             text,
  metro_unlocode       text,
  name                 text not null,
  nickname             text,
  firms_code           text,
  -- A code that customs has deactivated: it still finds the terminal, but is not given out.
  former_firms_code    text,
  smdg_code            text,
  bic_facility_code    text,
  rail_carrier_scac    text,
  street               text,
  city                 text,
  state_abbr           text,
  zip                  text,
  country_code         text not null,
  latitude             double precision,
  longitude            double precision,
  time_zone            text,
  plain_names          text not null,
  words                tsvector not null generated always as
                         (array_to_tsvector(string_to_array(translate(plain_names, '|', ' '), ' '))) stored,
  origin               text not null,
  edition              text not null,
  retired_at           timestamptz
);
create index terminals_words on terminals using gin (words) with (fastupdate = off);
create index terminals_at on terminals (unlocode);
create index terminals_of_metro on terminals (metro_unlocode) where metro_unlocode is not null;
create index terminals_by_code on terminals (smdg_code) where smdg_code is not null;
create index terminals_by_firms on terminals (firms_code) where firms_code is not null;
create index terminals_imported on terminals (id) where origin <> 'shipped';

create table vessels (
  id            uuid primary key,
  imo           text not null unique check (imo ~ '^[0-9]{7}$'),
  mmsi          text,
  name          text not null,
  former_names  text[] not null default '{}',
  plain_names   text not null,
  words         tsvector not null generated always as
                  (array_to_tsvector(string_to_array(translate(plain_names, '|', ' '), ' '))) stored,
  origin        text not null,
  edition       text not null,
  retired_at    timestamptz
);
create index vessels_words on vessels using gin (words) with (fastupdate = off);
create index vessels_by_name on vessels (plain_names, imo) where retired_at is null;
create index vessels_by_mmsi on vessels (mmsi) where mmsi is not null;
create index vessels_imported on vessels (imo) where origin <> 'shipped';

-- Lines that are tracked only for accounts they were enabled for (the contract's access "account").
create table account_shipping_lines (
  account_id  uuid not null references accounts,
  scac        text not null,
  enabled_at  timestamptz not null,
  primary key (account_id, scac)
);
