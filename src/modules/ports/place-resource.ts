/** `port` and `metro_area`: a place of the reference data, found by its UN/LOCODE. */

import { type IdentifiedReading, type Identifier, type ResourceKind, toMany } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { findPlaceByCode, type Place, placesRevision } from '../../reference/places.ts'
import { oceanTerminalsAt } from '../../reference/terminals.ts'

export interface PlaceReading extends IdentifiedReading {
  readonly type: 'port' | 'metro_area'
  readonly place: Place
}

/** Cache of places by code: every shipment needs the same few hundred. */
const read = new Map<string, PlaceReading | null>()
const readMax = 5_000
let readAt = 0

export function readingOfPlace(place: Place): PlaceReading {
  return { type: place.kind, id: place.id, place }
}

export function readPlace(unlocode: string | null | undefined): PlaceReading | null {
  if (!unlocode) return null
  if (readAt !== placesRevision()) {
    read.clear()
    readAt = placesRevision()
  }
  const known = read.get(unlocode)
  if (known !== undefined) return known
  const place = findPlaceByCode(unlocode)
  const reading = place === null ? null : readingOfPlace(place)
  if (read.size >= readMax) read.clear()
  read.set(unlocode, reading)
  return reading
}

export function linkPlace(unlocode: string | null | undefined): Identifier | null {
  const reading = readPlace(unlocode)
  return reading === null ? null : { type: reading.type, id: reading.id }
}

const common = {
  name: schema.text(),
  code: schema.text({ description: 'UN/LOCODE' }),
  state_abbr: schema.textOrNull(),
  country_code: schema.text({ description: 'ISO 3166-1 alpha-2' }),
  time_zone: schema.zoneOrNull(),
  latitude: schema.textOrNull({ description: 'Decimal degrees, as text.' }),
  longitude: schema.textOrNull({ description: 'Decimal degrees, as text.' }),
  id: schema.id(),
}

export const port: ResourceKind<PlaceReading> = {
  type: 'port',
  attributes: { ...common, city: schema.textOrNull() },
  relations: { terminals: toMany('terminal') },
  write: (reading) => ({ ...writePlaceAttributes(reading.place), city: reading.place.city }),
  link: ({ place }) => ({
    terminals: oceanTerminalsAt(place.unlocode).map(({ id }): Identifier => ({ type: 'terminal', id })),
  }),
}

export const metroArea: ResourceKind<PlaceReading> = {
  type: 'metro_area',
  attributes: common,
  relations: {},
  write: (reading) => writePlaceAttributes(reading.place),
  link: () => ({}),
}

function writePlaceAttributes(place: Place): Readonly<Record<string, unknown>> {
  return {
    name: place.name,
    code: place.unlocode,
    state_abbr: place.subdivision,
    country_code: place.countryCode,
    time_zone: place.timeZone,
    latitude: writeDecimal(place.latitude),
    longitude: writeDecimal(place.longitude),
    id: place.id,
  }
}

function writeDecimal(degrees: number | null): string | null {
  return degrees === null ? null : String(degrees)
}
