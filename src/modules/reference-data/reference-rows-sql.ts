/**
 * Writes places, terminals and ships into their tables: many rows a statement. Never overwrites a row of a higher
 * origin, never deletes.
 */

import type { Db } from '../../db/database.ts'
import { plainName } from '../../reference/plain-name.ts'
import type { Terminal } from '../../reference/terminal.ts'

/** Where a row comes from. `shipped` rows never overwrite or retire those of an import. */
export interface ReferenceOrigin {
  readonly origin: 'shipped' | 'smdg' | 'unlocode' | 'firms' | 'vessels'
  readonly edition: string
}

/** How many rows were not there, and how many changed. A row with the same content counts as neither. */
export interface PutCount {
  readonly added: number
  readonly changed: number
}

export interface PlaceRow {
  readonly id: string
  readonly unlocode: string
  readonly name: string
  readonly city: string | null
  readonly subdivision: string | null
  readonly countryCode: string
  readonly timeZone: string | null
  readonly latitude: number | null
  readonly longitude: number | null
  readonly coordinateSource: string | null
  readonly coordinateDoubt: string | null
  readonly kind: 'port' | 'metro_area'
  /** The names under which it is found, its own first. */
  readonly names: readonly string[]
}

export interface AliasRow {
  readonly alias: string
  readonly unlocode: string
  readonly name: string
}

export interface TerminalRow extends Omit<Terminal, 'country' | 'state'> {
  readonly formerFirmsCode: string | null
  readonly isCustomsFacility: boolean
  readonly timeZone: string | null
}

export interface VesselRow {
  readonly id: string
  readonly imo: string
  readonly mmsi: string | null
  readonly name: string
  readonly formerNames: readonly string[]
}

/** Only one process at a time changes reference data. The lock lasts until the transaction ends. */
export async function lockReference(db: Db): Promise<void> {
  await db.query({ name: 'reference_lock', text: `select pg_advisory_xact_lock(7116100007)` })
}

/**
 * A row that comes again is no longer retired. Rows are passed as `jsonb`: of the ways that were tried, the one with
 * the fewest bytes to plan.
 */
export function putPlaces(db: Db, of: ReferenceOrigin, rows: Iterable<PlaceRow>): Promise<PutCount> {
  return putInChunks(rows, async (chunk) => {
    const { rows: counted } = await db.query<PutCount>({
      name: 'places_put',
      text: `with put as (
               insert into places as p (id, unlocode, name, city, subdivision, country_code, time_zone, latitude,
                      longitude, coordinate_source, coordinate_doubt, kind, plain_names, origin, edition)
               select n.id, n.unlocode, n.name, n.city, n.subdivision, n."countryCode", n."timeZone", n.latitude,
                      n.longitude, n."coordinateSource", n."coordinateDoubt", n.kind, n."plainNames", $2, $3
                 from jsonb_to_recordset($1::jsonb) as n(
                        id uuid, unlocode text, name text, city text, subdivision text, "countryCode" text,
                        "timeZone" text, latitude double precision, longitude double precision,
                        "coordinateSource" text, "coordinateDoubt" text, kind text, "plainNames" text)
               on conflict (id) do update
                  set name = excluded.name, city = excluded.city, subdivision = excluded.subdivision,
                      time_zone = excluded.time_zone, latitude = excluded.latitude, longitude = excluded.longitude,
                      coordinate_source = excluded.coordinate_source, coordinate_doubt = excluded.coordinate_doubt,
                      kind = excluded.kind, plain_names = excluded.plain_names, origin = excluded.origin,
                      edition = excluded.edition, retired_at = null
                where ($2 <> 'shipped' or p.origin = 'shipped')
                  and (p.name, p.city, p.subdivision, p.time_zone, p.latitude, p.longitude, p.coordinate_source,
                       p.coordinate_doubt, p.kind, p.plain_names, p.retired_at)
                      is distinct from
                      (excluded.name, excluded.city, excluded.subdivision, excluded.time_zone, excluded.latitude,
                       excluded.longitude, excluded.coordinate_source, excluded.coordinate_doubt, excluded.kind,
                       excluded.plain_names, null)
               returning xmax = 0 as is_new)
             select count(*) filter (where is_new) as added, count(*) filter (where not is_new) as changed from put`,
      values: [
        JSON.stringify(chunk.map((row) => ({ ...row, plainNames: plainNames(row.names) }))),
        of.origin,
        of.edition,
      ],
    })
    return counted[0] ?? nothing
  })
}

export async function putAliases(db: Db, of: ReferenceOrigin, rows: readonly AliasRow[]): Promise<PutCount> {
  const { rows: counted } = await db.query<PutCount>({
    name: 'place_aliases_put',
    text: `with put as (
             insert into place_aliases as a (alias, unlocode, name, origin, edition)
             select n.alias, n.unlocode, n.name, $2, $3
               from jsonb_to_recordset($1::jsonb) as n(alias text, unlocode text, name text)
             on conflict (alias) do update
                set unlocode = excluded.unlocode, name = excluded.name, origin = excluded.origin,
                    edition = excluded.edition, retired_at = null
              where ($2 <> 'shipped' or a.origin = 'shipped')
                and (a.unlocode, a.name, a.retired_at) is distinct from (excluded.unlocode, excluded.name, null)
             returning xmax = 0 as is_new)
           select count(*) filter (where is_new) as added, count(*) filter (where not is_new) as changed from put`,
    values: [JSON.stringify(rows), of.origin, of.edition],
  })
  return counted[0] ?? nothing
}

export function putTerminals(db: Db, of: ReferenceOrigin, rows: Iterable<TerminalRow>): Promise<PutCount> {
  return putInChunks(rows, async (chunk) => {
    const { rows: counted } = await db.query<PutCount>({
      name: 'terminals_put',
      text: `with put as (
               insert into terminals as t (id, facility_type, is_customs_facility, unlocode, metro_unlocode, name,
                      nickname, firms_code, former_firms_code, smdg_code, bic_facility_code, rail_carrier_scac, street,
                      city, state_abbr, zip, country_code, latitude, longitude, time_zone, plain_names, origin, edition)
               select n.id, n."facilityType", n."isCustomsFacility", n.unlocode, n."metroUnlocode", n.name,
                      n.nickname, n."firmsCode", n."formerFirmsCode", n."smdgCode", n."bicFacilityCode",
                      n."railCarrierScac", n.street, n.city, n."stateAbbr", n.zip, n."countryCode", n.latitude,
                      n.longitude, n."timeZone", n."plainNames", $2, $3
                 from jsonb_to_recordset($1::jsonb) as n(
                        id uuid, "facilityType" text, "isCustomsFacility" boolean, unlocode text,
                        "metroUnlocode" text, name text, nickname text, "firmsCode" text, "formerFirmsCode" text,
                        "smdgCode" text, "bicFacilityCode" text, "railCarrierScac" text, street text, city text,
                        "stateAbbr" text, zip text, "countryCode" text, latitude double precision,
                        longitude double precision, "timeZone" text, "plainNames" text)
               on conflict (id) do update
                  set facility_type = excluded.facility_type, is_customs_facility = excluded.is_customs_facility,
                      unlocode = excluded.unlocode, metro_unlocode = excluded.metro_unlocode, name = excluded.name,
                      nickname = excluded.nickname, firms_code = excluded.firms_code,
                      former_firms_code = excluded.former_firms_code, smdg_code = excluded.smdg_code,
                      bic_facility_code = excluded.bic_facility_code,
                      rail_carrier_scac = excluded.rail_carrier_scac, street = excluded.street, city = excluded.city,
                      state_abbr = excluded.state_abbr, zip = excluded.zip, country_code = excluded.country_code,
                      latitude = excluded.latitude, longitude = excluded.longitude, time_zone = excluded.time_zone,
                      plain_names = excluded.plain_names, origin = excluded.origin, edition = excluded.edition,
                      retired_at = null
                where ($2 <> 'shipped' or t.origin = 'shipped')
                  and (t.facility_type, t.is_customs_facility, t.unlocode, t.metro_unlocode, t.name, t.nickname,
                       t.firms_code, t.former_firms_code, t.smdg_code, t.bic_facility_code, t.rail_carrier_scac,
                       t.street, t.city, t.state_abbr, t.zip, t.country_code, t.latitude, t.longitude, t.time_zone,
                       t.plain_names, t.retired_at)
                      is distinct from
                      (excluded.facility_type, excluded.is_customs_facility, excluded.unlocode,
                       excluded.metro_unlocode, excluded.name, excluded.nickname, excluded.firms_code,
                       excluded.former_firms_code, excluded.smdg_code, excluded.bic_facility_code,
                       excluded.rail_carrier_scac, excluded.street, excluded.city, excluded.state_abbr, excluded.zip,
                       excluded.country_code, excluded.latitude, excluded.longitude, excluded.time_zone,
                       excluded.plain_names, null)
               returning xmax = 0 as is_new)
             select count(*) filter (where is_new) as added, count(*) filter (where not is_new) as changed from put`,
      values: [
        JSON.stringify(chunk.map((row) => ({ ...row, plainNames: plainNames([row.name, row.nickname ?? '']) }))),
        of.origin,
        of.edition,
      ],
    })
    return counted[0] ?? nothing
  })
}

export function putVessels(db: Db, of: ReferenceOrigin, rows: Iterable<VesselRow>): Promise<PutCount> {
  return putInChunks(rows, async (chunk) => {
    const { rows: counted } = await db.query<PutCount>({
      name: 'vessels_put',
      text: `with put as (
               insert into vessels as v (id, imo, mmsi, name, former_names, plain_names, origin, edition)
               select n.id, n.imo, n.mmsi, n.name, n."formerNames", n."plainNames", $2, $3
                 from jsonb_to_recordset($1::jsonb) as n(
                        id uuid, imo text, mmsi text, name text, "formerNames" text[], "plainNames" text)
               on conflict (id) do update
                  set mmsi = excluded.mmsi, name = excluded.name, former_names = excluded.former_names,
                      plain_names = excluded.plain_names, origin = excluded.origin, edition = excluded.edition,
                      retired_at = null
                where ($2 <> 'shipped' or v.origin = 'shipped')
                  and (v.mmsi, v.name, v.former_names, v.retired_at)
                      is distinct from (excluded.mmsi, excluded.name, excluded.former_names, null)
               returning xmax = 0 as is_new)
             select count(*) filter (where is_new) as added, count(*) filter (where not is_new) as changed from put`,
      values: [
        JSON.stringify(chunk.map((row) => ({ ...row, plainNames: plainNames([row.name, ...row.formerNames]) }))),
        of.origin,
        of.edition,
      ],
    })
    return counted[0] ?? nothing
  })
}

/** Separated by `|`: a plain name has only letters, digits and single blanks. */
function plainNames(names: readonly string[]): string {
  return [...new Set(names.map(plainName))].filter((name) => name !== '').join('|')
}

const nothing: PutCount = { added: 0, changed: 0 }
/** A chunk takes this process some 50 ms. Other work runs between two chunks. */
const rowsInChunk = 4_000

async function putInChunks<Row>(
  rows: Iterable<Row>,
  put: (chunk: readonly Row[]) => Promise<PutCount>,
): Promise<PutCount> {
  let [added, changed] = [0, 0]
  let chunk: Row[] = []
  const write = async (): Promise<void> => {
    const count = await put(chunk)
    added += count.added
    changed += count.changed
    chunk = []
  }
  for (const row of rows) {
    if (chunk.push(row) === rowsInChunk) await write()
  }
  if (chunk.length > 0) await write()
  return { added, changed }
}
