/**
 * Everything that the reference tables have of one published list, retired rows too. An import compares its list with
 * it.
 */

import type { Db } from '../../db/database.ts'
import type { PlaceRow, TerminalRow, VesselRow } from './reference-rows-sql.ts'

export type KnownRow<Row> = Row & { readonly isRetired: boolean }

/** `names` are plain already: `plainName` does not change them. */
export async function readKnownPlaces(db: Db): Promise<readonly KnownRow<PlaceRow>[]> {
  const { rows } = await db.query<KnownRow<PlaceRow>>({
    name: 'places_known',
    text: `select id, unlocode, name, city, subdivision, country_code as "countryCode", time_zone as "timeZone",
                  latitude, longitude, coordinate_source as "coordinateSource", coordinate_doubt as "coordinateDoubt",
                  kind, string_to_array(plain_names, '|') as names, retired_at is not null as "isRetired"
             from places`,
  })
  return rows
}

/** Terminals of the customs list, or those that have an SMDG code. */
export async function readKnownTerminals(
  db: Db,
  of: { readonly areCustomsFacilities: boolean },
): Promise<readonly KnownRow<TerminalRow>[]> {
  const { rows } = await db.query<KnownRow<TerminalRow>>({
    name: 'terminals_known',
    text: `${terminalColumns} where is_customs_facility = $1 and ($1 or smdg_code is not null)`,
    values: [of.areCustomsFacilities],
  })
  return rows
}

/** Those of these terminals to which no list has given an SMDG code yet. */
export async function readUncodedTerminals(db: Db, ids: readonly string[]): Promise<readonly KnownRow<TerminalRow>[]> {
  const { rows } = await db.query<KnownRow<TerminalRow>>({
    name: 'terminals_uncoded',
    text: `${terminalColumns} where id = any($1::uuid[]) and smdg_code is null and retired_at is null`,
    values: [ids],
  })
  return rows
}

const terminalColumns = `
  select id, facility_type as "facilityType", is_customs_facility as "isCustomsFacility", unlocode,
         metro_unlocode as "metroUnlocode", name, nickname, firms_code as "firmsCode",
         former_firms_code as "formerFirmsCode", smdg_code as "smdgCode",
         bic_facility_code as "bicFacilityCode", rail_carrier_scac as "railCarrierScac", street, city,
         state_abbr as "stateAbbr", zip, country_code as "countryCode", latitude, longitude,
         time_zone as "timeZone", retired_at is not null as "isRetired"
    from terminals`

/** Customs codes of terminals that are in our own lists, whether they are in use or deactivated. */
export async function readOwnFirmsCodes(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ code: string }>({
    name: 'terminals_own_firms_codes',
    text: `select coalesce(firms_code, former_firms_code) as code from terminals
            where not is_customs_facility and coalesce(firms_code, former_firms_code) is not null`,
  })
  return new Set(rows.map(({ code }) => code))
}

export async function readKnownVessels(db: Db): Promise<readonly KnownRow<VesselRow>[]> {
  const { rows } = await db.query<KnownRow<VesselRow>>({
    name: 'vessels_known',
    text: `select id, imo, mmsi, name, former_names as "formerNames", retired_at is not null as "isRetired"
             from vessels`,
  })
  return rows
}
