/**
 * What the operator imported: every row that does not come from our own files, retired rows too. In memory these rows
 * are laid over our own.
 */

import type { Db } from '../../db/database.ts'
import { findCountryName } from '../../reference/countries.ts'
import { findZoneAt } from '../../reference/country-zones.ts'
import type { Overlay } from '../../reference/overlay.ts'
import type { Place } from '../../reference/places.ts'
import { findSubdivisionName } from '../../reference/subdivisions.ts'
import type { Terminal } from '../../reference/terminal.ts'
import type { KnownVessel } from '../../reference/vessels.ts'

export async function readImportedReference(db: Db): Promise<Overlay> {
  return {
    aliases: await readAliases(db),
    places: await readPlaces(db),
    terminals: await readTerminals(db),
    vessels: await readVessels(db),
  }
}

async function readAliases(db: Db): Promise<Overlay['aliases']> {
  const { rows } = await db.query<{ alias: string; unlocode: string }>({
    name: 'place_aliases_imported',
    text: `select alias, unlocode from place_aliases where origin <> 'shipped' and retired_at is null`,
  })
  return rows
}

/** Columns of `places p` as a `PlaceJson`. */
export const placeJson = `json_build_array(p.id, p.unlocode, p.name, p.city, p.subdivision, p.country_code, p.time_zone,
  p.latitude, p.longitude, p.kind, p.coordinate_doubt)`

export type PlaceJson = readonly [
  id: string,
  unlocode: string,
  name: string,
  city: string | null,
  subdivision: string | null,
  countryCode: string,
  timeZone: string | null,
  latitude: number | null,
  longitude: number | null,
  kind: Place['kind'],
  coordinateDoubt: string | null,
]

/**
 * When the list has no time zone, it follows from the coordinates, unless code and coordinates contradict each other.
 */
export function readPlaceJson(json: PlaceJson): Place {
  const [id, unlocode, name, city, subdivision, countryCode, listedZone, latitude, longitude, kind, doubt] = json
  const isReliable = latitude !== null && longitude !== null && doubt === null
  const timeZone = listedZone ?? (isReliable ? findZoneAt({ latitude, longitude, countryCode }) : null)
  return { id, unlocode, name, city, subdivision, countryCode, timeZone, latitude, longitude, kind }
}

async function readPlaces(db: Db): Promise<Overlay['places']> {
  const { rows } = await db.query<{ json: PlaceJson; names: string; isRetired: boolean }>({
    name: 'places_imported',
    text: `select ${placeJson} as json, p.plain_names as names, p.retired_at is not null as "isRetired"
             from places p where p.origin <> 'shipped'`,
  })
  return rows.map(({ json, names, isRetired }) => ({
    place: readPlaceJson(json),
    names: names.split('|'),
    isRetired,
  }))
}

/** Columns of `terminals t` as a `TerminalJson`. */
export const terminalJson = `json_build_array(t.id, t.name, t.nickname, t.facility_type, t.firms_code, t.smdg_code,
  t.bic_facility_code, t.street, t.city, t.state_abbr, t.zip, t.country_code, t.unlocode, t.metro_unlocode,
  t.rail_carrier_scac, t.latitude, t.longitude)`

export type TerminalJson = readonly [
  id: string,
  name: string,
  nickname: string | null,
  facilityType: Terminal['facilityType'],
  firmsCode: string | null,
  smdgCode: string | null,
  bicFacilityCode: string | null,
  street: string | null,
  city: string | null,
  stateAbbr: string | null,
  zip: string | null,
  countryCode: string,
  unlocode: string | null,
  metroUnlocode: string | null,
  railCarrierScac: string | null,
  latitude: number | null,
  longitude: number | null,
]

export function readTerminalJson(json: TerminalJson): Terminal {
  const [stateAbbr, countryCode] = [json[9], json[11]]
  return {
    id: json[0],
    name: json[1],
    nickname: json[2],
    facilityType: json[3],
    firmsCode: json[4],
    smdgCode: json[5],
    bicFacilityCode: json[6],
    street: json[7],
    city: json[8],
    state: stateAbbr === null ? null : findSubdivisionName(countryCode, stateAbbr),
    stateAbbr,
    zip: json[10],
    countryCode,
    country: findCountryName(countryCode) ?? countryCode,
    unlocode: json[12],
    metroUnlocode: json[13],
    railCarrierScac: json[14],
    latitude: json[15],
    longitude: json[16],
  }
}

async function readTerminals(db: Db): Promise<Overlay['terminals']> {
  const { rows } = await db.query<{ json: TerminalJson; isCustomsFacility: boolean; isRetired: boolean }>({
    name: 'terminals_imported',
    text: `select ${terminalJson} as json, t.is_customs_facility as "isCustomsFacility",
                  t.retired_at is not null as "isRetired"
             from terminals t where t.origin <> 'shipped'`,
  })
  return rows.map(({ json, ...row }) => ({ terminal: readTerminalJson(json), ...row }))
}

async function readVessels(db: Db): Promise<readonly KnownVessel[]> {
  const { rows } = await db.query<KnownVessel>({
    name: 'vessels_imported',
    text: `select id, imo, name, former_names as "formerNames" from vessels where origin <> 'shipped'`,
  })
  return rows
}
