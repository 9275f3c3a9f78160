/** Which time zones a country has, as our list of places knows it, and which of them holds a point. */

import tzlookup from '@photostructure/tz-lookup'
import { once, readCells, readTableLines } from './data-files.ts'

export interface PointInCountry {
  readonly latitude: number
  readonly longitude: number
  readonly countryCode: string
}

/**
 * The IANA zone at the point, of those that the country has. The map of zones is coarse at borders, and northern Vietnam
 * is Asia/Bangkok on it: where it names a foreign zone, the country's only one with the same clock is meant, else null.
 */
export function findZoneAt(point: PointInCountry): string | null {
  const zone = tzlookup(point.latitude, point.longitude)
  const own = zones().get(point.countryCode) ?? []
  if (own.includes(zone)) return zone
  if (isAtSea(zone)) return null
  const alike = own.filter((each) => offsetsOf(each) === offsetsOf(zone))
  return alike.length === 1 ? (alike[0] ?? null) : null
}

/** No zone of the country holds the point. At sea (`Etc/GMT-7`) nothing is contradicted: harbours lie there. */
export function isInAnotherCountry(point: PointInCountry): boolean {
  return !isAtSea(tzlookup(point.latitude, point.longitude)) && findZoneAt(point) === null
}

function isAtSea(zone: string): boolean {
  return zone.startsWith('Etc/')
}

/** What the clock shows in January and in July. */
function offsetsOf(zone: string): string {
  const known = offsets.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  const read = ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z']
    .map(
      (instant) => format.formatToParts(new Date(instant)).find(({ type }) => type === 'timeZoneName')?.value,
    )
    .join(' ')
  offsets.set(zone, read)
  return read
}

const offsets = new Map<string, string>()

const zones = once(() => {
  const byCountry = new Map<string, string[]>()
  for (const line of readTableLines('locations.tsv.gz')) {
    const zone = readCells(line)(6)
    if (zone === null) continue
    const country = line.slice(0, 2)
    const known = byCountry.get(country)
    if (known === undefined) byCountry.set(country, [zone])
    else if (!known.includes(zone)) known.push(zone)
  }
  return byCountry
})
