/** Which time zones a country has, by our list of places, and in which of them a point is. */

import tzlookup from '@photostructure/tz-lookup'
import { readCells } from './data-files.ts'
import { locationsFrom } from './locations.ts'

export interface PointInCountry {
  readonly latitude: number
  readonly longitude: number
  readonly countryCode: string
}

/**
 * The country's IANA zone at the point. The map of zones is coarse at borders, and shows northern Vietnam as
 * Asia/Bangkok. When the map gives a foreign zone, the answer is the country's zone with the same clock, if there is
 * exactly one, else null.
 */
export function findZoneAt(point: PointInCountry): string | null {
  const zone = tzlookup(point.latitude, point.longitude)
  const ownZones = zonesOf(point.countryCode)
  if (ownZones.includes(zone)) return zone
  if (isAtSea(zone)) return null
  const alike = ownZones.filter((each) => offsetsOf(each) === offsetsOf(zone))
  return alike.length === 1 ? (alike[0] ?? null) : null
}

/**
 * True when the point lies in no zone of the country. A point at sea (`Etc/GMT-7`) does not count as abroad, because
 * harbours lie there.
 */
export function isInAnotherCountry(point: PointInCountry): boolean {
  return !isAtSea(tzlookup(point.latitude, point.longitude)) && findZoneAt(point) === null
}

function isAtSea(zone: string): boolean {
  return zone.startsWith('Etc/')
}

/** The zone's UTC offsets in January and in July. */
function offsetsOf(zone: string): string {
  const known = offsets.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  const read = ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z']
    .map((instant) => format.formatToParts(new Date(instant)).find(({ type }) => type === 'timeZoneName')?.value)
    .join(' ')
  offsets.set(zone, read)
  return read
}

const offsets = new Map<string, string>()

function zonesOf(countryCode: string): readonly string[] {
  const known = zones.get(countryCode)
  if (known !== undefined) return known
  const ownZones = new Set<string>()
  for (const line of locationsFrom(countryCode)) {
    const zone = readCells(line)(6)
    if (zone !== null) ownZones.add(zone)
  }
  zones.set(countryCode, [...ownZones])
  return [...ownZones]
}

const zones = new Map<string, readonly string[]>()
