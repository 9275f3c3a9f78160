/**
 * Reads the SMDG terminal code list (the spreadsheet as CSV): container terminals by UN/LOCODE and code, with
 * coordinates.
 */

import { parseUnLocode } from '../../domain/values/identifiers.ts'
import { isInAnotherCountry } from '../country-zones.ts'
import { findPlaceByCode, type Place } from '../places.ts'
import { canonicalUnlocode } from '../port-overrides.ts'
import { distanceKm } from './distance.ts'
import { ListReader, type RowReader } from './list-reader.ts'
import type { ReadList } from './record.ts'
import { type ListRow, readRows } from './rows.ts'

/**
 * When the distance is larger, the code or the point is wrong. Terminals may lie a day trip away from the city that
 * gives the port its name.
 */
const fromPortKmMax = 100

const columns = ['UNLOCODE', 'Terminal Code', 'Terminal Facility Name', 'Latitude', 'Longitude']

export function readSmdg(bytes: Uint8Array): ReadList {
  const reader = new ListReader()
  for (const row of readRows(bytes, { columns })) {
    const [listed, code] = [parseUnLocode(row.cell('UNLOCODE')), row.cell('Terminal Code').toUpperCase()]
    const unlocode = listed.ok ? canonicalUnlocode(listed.value) : row.cell('UNLOCODE')
    const at = reader.row(row.line, `${unlocode}:${code}`)
    const port = listed.ok ? findPlaceByCode(listed.value) : null
    if (!listed.ok) at.refuseRow('UNLOCODE', row.cell('UNLOCODE'), 'it is not written like a UN/LOCODE')
    else if (port === null) at.refuseRow('UNLOCODE', listed.value, 'no such place is known')
    else if (!/^[A-Z0-9]{1,6}$/.test(code))
      at.refuseRow('Terminal Code', code, 'it must have one to six letters or digits')
    else if (row.cell('Terminal Facility Name') === '') at.refuseRow('Terminal Facility Name', '', 'it is empty')
    else addTerminal(row, { port, code }, at)
  }
  return reader.result()
}

function addTerminal(row: ListRow, { port, code }: { port: Place; code: string }, at: RowReader): void {
  const point = readPoint(row)
  if (point === 'unreadable') {
    at.refuseRow('Latitude', `${row.cell('Latitude')} ${row.cell('Longitude')}`, 'they are not decimal degrees')
    return
  }
  const apartKm = point === null ? null : distanceKm(port, point)
  if (apartKm !== null && apartKm > fromPortKmMax) {
    const where = `${port.name} (${port.unlocode}) is ${Math.round(apartKm)} km away: code or point is wrong`
    at.refuseRow('Latitude', `${row.cell('Latitude')} ${row.cell('Longitude')}`, where)
    return
  }
  // A point just across a border is no error when our own port is near it.
  const isTrusted =
    point === null ||
    (apartKm !== null && apartKm <= 25) ||
    !isInAnotherCountry({ ...point, countryCode: port.countryCode })
  if (!isTrusted)
    at.refuseValue(
      'Latitude',
      `${row.cell('Latitude')} ${row.cell('Longitude')}`,
      `they are not in ${port.countryCode}`,
    )
  at.take({
    name: row.cell('Terminal Facility Name').replace(/\s+/g, ' '),
    unlocode: port.unlocode,
    smdgCode: code,
    latitude: isTrusted ? (point?.latitude ?? null) : null,
    longitude: isTrusted ? (point?.longitude ?? null) : null,
  })
}

interface Point {
  readonly latitude: number
  readonly longitude: number
}

/** A row with two empty cells has no point. 0/0 is refused as well: it means empty cells. */
function readPoint(row: ListRow): Point | 'unreadable' | null {
  const cells = [row.cell('Latitude'), row.cell('Longitude')] as const
  if (cells[0] === '' && cells[1] === '') return null
  if (!cells.every((cell) => /^-?\d{1,3}(\.\d+)?$/.test(cell))) return 'unreadable'
  const [latitude, longitude] = [Number(cells[0]), Number(cells[1])]
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  return isOnEarth && (latitude !== 0 || longitude !== 0) ? { latitude, longitude } : 'unreadable'
}
