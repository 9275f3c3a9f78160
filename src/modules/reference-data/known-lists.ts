/** The published lists as the reference tables hold them: their records by natural key, and how records become rows. */

import type { Db } from '../../db/database.ts'
import { unreachable } from '../../domain/values/unreachable.ts'
import type { KnownRecord } from '../../reference/import/difference.ts'
import type { RecordValues, ReferenceRecord, RefreshableList } from '../../reference/import/record.ts'
import { findUncodedTerminals } from '../../reference/import/uncoded-terminals.ts'
import { findTerminalZone, placeId } from '../../reference/places.ts'
import { customsFacilityId, oceanTerminalId } from '../../reference/terminals.ts'
import { vesselId } from '../../reference/vessels.ts'
import {
  type KnownRow,
  readKnownPlaces,
  readKnownTerminals,
  readKnownVessels,
  readUncodedTerminals,
} from './known-reference-sql.ts'
import { retirePlaces, retireTerminals, retireVessels } from './reference-editions-sql.ts'
import {
  type PlaceRow,
  type PutCount,
  putPlaces,
  putTerminals,
  putVessels,
  type ReferenceOrigin,
  type TerminalRow,
  type VesselRow,
} from './reference-rows-sql.ts'

export interface KnownList {
  readonly records: ReadonlyMap<string, KnownRecord>
  readonly put: (db: Db, of: ReferenceOrigin, records: readonly ReferenceRecord[]) => Promise<PutCount>
  readonly retire: (
    db: Db,
    of: ReferenceOrigin & { readonly keys: readonly string[]; readonly at: string },
  ) => Promise<number>
}

/** `listed`: the records of the file. One of our terminals without a code may be among them. */
export async function readKnownList(
  db: Db,
  list: RefreshableList,
  listed: readonly ReferenceRecord[],
): Promise<KnownList> {
  switch (list) {
    case 'unlocode':
      return toKnownList(await readKnownPlaces(db), placeRows)
    case 'smdg':
      return readKnownBySmdgCode(db, listed)
    case 'firms':
      return toKnownList(await readKnownTerminals(db, { areCustomsFacilities: true }), facilityRows)
    case 'vessels':
      return toKnownList(await readKnownVessels(db), vesselRows)
    default:
      return unreachable(list)
  }
}

/**
 * Terminals that have a code, and terminals of ours without one that the list names: these get its code and keep their
 * ids.
 */
async function readKnownBySmdgCode(db: Db, listed: readonly ReferenceRecord[]): Promise<KnownList> {
  const coded = await readKnownTerminals(db, { areCustomsFacilities: false })
  const keys = new Set(coded.map(terminalRows.keyOf))
  const keyOf = findUncodedTerminals(listed.filter(({ key }) => !keys.has(key)))
  const uncoded = await readUncodedTerminals(db, [...keyOf.keys()])
  return toKnownList([...coded, ...uncoded], {
    ...terminalRows,
    keyOf: (row) => (row.smdgCode === null ? keyOf.get(row.id) : undefined) ?? terminalRows.keyOf(row),
  })
}

/** How rows of one table become records of a list, and records become rows. */
interface RecordRowMapping<Row extends { readonly id: string }> {
  readonly keyOf: (row: Row) => string
  readonly valuesOf: (row: Row) => RecordValues
  readonly rowOf: (record: ReferenceRecord, known: Row | null) => Row
  readonly put: (db: Db, of: ReferenceOrigin, rows: readonly Row[]) => Promise<PutCount>
  readonly retire: (
    db: Db,
    of: ReferenceOrigin & { readonly ids: readonly string[]; readonly at: string },
  ) => Promise<number>
}

function toKnownList<Row extends { readonly id: string }>(
  known: readonly KnownRow<Row>[],
  rows: RecordRowMapping<Row>,
): KnownList {
  const byKey = new Map(known.map((row) => [rows.keyOf(row), row] as const))
  return {
    records: new Map(
      [...byKey].map(([key, row]) => [key, { key, values: rows.valuesOf(row), isRetired: row.isRetired }] as const),
    ),
    put: (db, of, records) =>
      rows.put(
        db,
        of,
        records.map((record) => rows.rowOf(record, byKey.get(record.key) ?? null)),
      ),
    retire: (db, { keys, ...of }) => rows.retire(db, { ...of, ids: keys.flatMap((key) => byKey.get(key)?.id ?? []) }),
  }
}

const placeRows: RecordRowMapping<PlaceRow> = {
  keyOf: ({ unlocode }) => unlocode,
  valuesOf: ({ name, city, subdivision, kind, latitude, longitude, coordinateSource, coordinateDoubt, timeZone }) => ({
    name,
    city,
    subdivision,
    kind,
    latitude,
    longitude,
    coordinateSource,
    coordinateDoubt,
    timeZone,
  }),
  rowOf: ({ key, values }, known) => ({
    id: known?.id ?? placeId(key),
    unlocode: key,
    countryCode: key.slice(0, 2),
    name: textOf(values, 'name') ?? key,
    city: textOf(values, 'city'),
    subdivision: textOf(values, 'subdivision'),
    kind: values['kind'] === 'port' ? 'port' : 'metro_area',
    latitude: numberOf(values, 'latitude'),
    longitude: numberOf(values, 'longitude'),
    coordinateSource: textOf(values, 'coordinateSource'),
    coordinateDoubt: textOf(values, 'coordinateDoubt'),
    timeZone: textOf(values, 'timeZone'),
    // The place is still found by its former names.
    names: [...(textOf(values, 'name') ?? key).split(' = '), ...(known?.names ?? [])],
  }),
  put: putPlaces,
  retire: retirePlaces,
}

const unknownTerminal = {
  nickname: null,
  firmsCode: null,
  formerFirmsCode: null,
  smdgCode: null,
  bicFacilityCode: null,
  metroUnlocode: null,
  railCarrierScac: null,
  street: null,
  city: null,
  stateAbbr: null,
  zip: null,
  latitude: null,
  longitude: null,
  timeZone: null,
} as const

const terminalRows: RecordRowMapping<TerminalRow> = {
  keyOf: ({ unlocode, smdgCode }) => `${unlocode}:${smdgCode}`,
  valuesOf: ({ name, unlocode, smdgCode, latitude, longitude }) => ({
    name,
    unlocode,
    smdgCode,
    latitude,
    longitude,
  }),
  rowOf: ({ key, values }, known) => {
    const [unlocode = '', smdgCode = ''] = key.split(':')
    const name = textOf(values, 'name') ?? smdgCode
    return withZone({
      ...unknownTerminal,
      id: oceanTerminalId({ unlocode, smdgCode, name }),
      facilityType: 'ocean_terminal',
      isCustomsFacility: false,
      countryCode: unlocode.slice(0, 2),
      unlocode,
      ...known,
      smdgCode,
      name,
      latitude: numberOf(values, 'latitude'),
      longitude: numberOf(values, 'longitude'),
    })
  },
  put: putTerminals,
  retire: retireTerminals,
}

const facilityRows: RecordRowMapping<TerminalRow> = {
  keyOf: ({ firmsCode }) => firmsCode ?? '',
  valuesOf: ({ name, facilityType, unlocode, street, city, stateAbbr, zip, countryCode }) => ({
    name,
    facilityType,
    unlocode,
    street,
    city,
    stateAbbr,
    zip,
    countryCode,
  }),
  rowOf: ({ key, values }, known) =>
    withZone({
      ...unknownTerminal,
      ...known,
      id: customsFacilityId(key),
      isCustomsFacility: true,
      firmsCode: key,
      name: textOf(values, 'name') ?? key,
      facilityType: values['facilityType'] === 'ocean_terminal' ? 'ocean_terminal' : 'off_dock',
      unlocode: textOf(values, 'unlocode'),
      street: textOf(values, 'street'),
      city: textOf(values, 'city'),
      stateAbbr: textOf(values, 'stateAbbr'),
      zip: textOf(values, 'zip'),
      countryCode: textOf(values, 'countryCode') ?? 'US',
      timeZone: null,
    }),
  put: putTerminals,
  retire: retireTerminals,
}

const vesselRows: RecordRowMapping<VesselRow> = {
  keyOf: ({ imo }) => imo,
  valuesOf: ({ name, formerNames, mmsi }) => ({
    name,
    formerNames: formerNames.length === 0 ? null : formerNames.join('|'),
    mmsi,
  }),
  rowOf: ({ key, values }, known) => {
    const id = known?.id ?? vesselId(key)
    if (id === null) throw new Error(`${key} is no IMO number`)
    return {
      id,
      imo: key,
      name: textOf(values, 'name') ?? key,
      formerNames: textOf(values, 'formerNames')?.split('|') ?? [],
      mmsi: textOf(values, 'mmsi'),
    }
  },
  put: putVessels,
  retire: retireVessels,
}

function withZone(row: TerminalRow): TerminalRow {
  const timeZone = row.timeZone ?? findTerminalZone({ ...row, country: row.countryCode, state: null })
  return { ...row, timeZone }
}

function textOf(values: RecordValues, field: string): string | null {
  const value = values[field]
  return typeof value === 'string' && value !== '' ? value : null
}

function numberOf(values: RecordValues, field: string): number | null {
  const value = values[field]
  return typeof value === 'number' ? value : null
}
