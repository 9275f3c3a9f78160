/**
 * Reads the UN/LOCODE release (CSV parts, no header; UNECE Recommendation 16): change, country, location, name, name
 * without diacritics, subdivision, function, status, date, IATA code, coordinates as `3114N 12129E`, remarks.
 */

import { isUnLocode } from '../../domain/values/identifiers.ts'
import { findCountryName } from '../countries.ts'
import { findZoneAt } from '../country-zones.ts'
import { canonicalUnlocode } from '../port-overrides.ts'
import { ListReader, type RowReader } from './list-reader.ts'
import type { ReadList } from './record.ts'
import { type ListRow, readRows } from './rows.ts'

const columns = [
  'change',
  'country',
  'location',
  'name',
  'plain_name',
  'subdivision',
  'function',
  'status',
  'date',
  'iata',
  'coordinates',
  'remarks',
] as const

export function readUnlocode(bytes: Uint8Array): ReadList {
  const reader = new ListReader()
  for (const row of readRows(bytes, { columns, hasNoHeader: true, otherEncoding: 'windows-1252' })) {
    // Rows without a code: the name of a country, or a reference from an old name (`=`).
    if (row.cell('location') === '') continue
    const code = `${row.cell('country')}${row.cell('location')}`.toUpperCase()
    // The publisher has marked the row for removal. The row is skipped, so the known record is retired.
    if (row.cell('change') === 'X') continue
    // An alias has no record of its own: CNSHA means Shanghai, CNSHG.
    if (canonicalUnlocode(code) !== code) continue
    const at = reader.row(row.line, code)
    if (!isUnLocode(code)) at.refuseRow('location', code, 'a code must be a country and three of A–Z and 2–9')
    else if (findCountryName(code.slice(0, 2)) === null)
      at.refuseRow('country', code.slice(0, 2), 'there is no such country')
    else if (row.cell('name') === '') at.refuseRow('name', '', 'it is empty')
    else addPlace(row, code, at)
  }
  return reader.result()
}

function addPlace(row: ListRow, code: string, at: RowReader): void {
  const countryCode = code.slice(0, 2)
  const functions = row.cell('function')
  const subdivision = row.cell('subdivision').toUpperCase()
  const isSubdivision = /^[A-Z0-9]{1,3}$/.test(subdivision)
  if (subdivision !== '' && !isSubdivision)
    at.refuseValue('subdivision', subdivision, 'it must have one to three letters or digits')
  if (functions !== '' && !/^[0-8B-]{1,8}$/.test(functions)) {
    at.refuseRow('function', functions, 'it must be written with 0–8, B and hyphens')
    return
  }
  const point = readPoint(row.cell('coordinates'))
  if (point === 'unreadable')
    at.refuseValue('coordinates', row.cell('coordinates'), 'they must be written like 3114N 12129E')
  const read = point === 'unreadable' ? null : point
  const name = row.cell('name').replace(/\s+/g, ' ')
  at.take({
    name,
    // The list gives places under the name of their city, except airports and harbours.
    city: / (Apt|Pt)$/.test(name) ? null : name,
    subdivision: isSubdivision ? subdivision : null,
    kind: functions.includes('1') ? 'port' : 'metro_area',
    latitude: read?.latitude ?? null,
    longitude: read?.longitude ?? null,
    coordinateSource: read === null ? null : 'U',
    coordinateDoubt: null,
    // Null although there is a point: the point lies in no zone of the country. The caller, who knows the place,
    // decides whether to accept the point.
    timeZone: read === null ? null : findZoneAt({ ...read, countryCode }),
  })
}

/** Reads degrees and minutes. Rounds to four decimal places, as in our table. */
function readPoint(text: string): { readonly latitude: number; readonly longitude: number } | 'unreadable' | null {
  if (text === '') return null
  const [, latDegrees, latMinutes, north, lonDegrees, lonMinutes, east] =
    /^(\d{2})(\d{2})([NS])\s*(\d{3})(\d{2})([EW])$/.exec(text) ?? []
  if (latDegrees === undefined) return 'unreadable'
  const latitude = toDegrees(latDegrees, latMinutes, north === 'S')
  const longitude = toDegrees(lonDegrees, lonMinutes, east === 'W')
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  return isOnEarth && Number(latMinutes) < 60 && Number(lonMinutes) < 60 ? { latitude, longitude } : 'unreadable'
}

function toDegrees(whole: string | undefined, minutes: string | undefined, isNegative: boolean): number {
  const size = Number(whole) + Number(minutes) / 60
  return Math.round((isNegative ? -size : size) * 10_000) / 10_000
}
