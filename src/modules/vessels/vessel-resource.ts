/** `vessel`: a ship by its IMO number; with its positions when the ship itself was requested. */

import type { IdentifiedReading, Identifier, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import type { Fix } from '../../pipeline/positions/fixes-sql.ts'
import { Type } from '../../platform/json-schema.ts'
import { nameShip, vesselId } from '../../reference/vessels.ts'
import type { VesselDetails } from './get-vessel.ts'

export interface VesselReading extends IdentifiedReading {
  readonly type: 'vessel'
  readonly imo: string
  readonly name: string
  readonly listedName?: string | null
  /** Null or missing when they were not requested. */
  readonly positions?: readonly VesselPosition[] | null
  /** Missing when the ship is only mentioned by another resource. */
  readonly mmsi?: string | null
  readonly last?: Fix | null
}

export interface VesselPosition {
  readonly latitude: number
  readonly longitude: number
  readonly heading: number | null
  readonly timestamp: string
  readonly estimated: boolean
}

const position = schema.object({
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  heading: schema.numberOrNull({ description: 'Degrees from north.' }),
  timestamp: schema.instant(),
  estimated: Type.Boolean({ description: 'True: calculated, not received.' }),
})

/** Its name is the source's own, otherwise the listed one, otherwise its number. Null without a valid IMO number. */
export function readVessel(imo: string | null, statedName: string | null): VesselReading | null {
  const id = imo === null ? null : vesselId(imo)
  if (imo === null || id === null) return null
  const { name, listedName } = nameShip(imo, statedName)
  return { type: 'vessel', id, imo, name: name ?? `IMO ${imo}`, listedName }
}

export function readVesselDetails({ id, imo, name, mmsi, last, track }: VesselDetails): VesselReading {
  const positions =
    track?.map(({ latitude, longitude, courseDegrees, heardAt: ingestedAt }) => ({
      latitude,
      longitude,
      heading: courseDegrees,
      timestamp: ingestedAt,
      estimated: false,
    })) ?? null
  return { type: 'vessel', id, imo, name, mmsi, last, positions }
}

export function linkVessel(imo: string | null): Identifier | null {
  const id = imo === null ? null : vesselId(imo)
  return id === null ? null : { type: 'vessel', id }
}

export const vessel: ResourceKind<VesselReading> = {
  type: 'vessel',
  attributes: {
    name: schema.text(),
    imo: schema.textOrNull(),
    mmsi: schema.textOrNull(),
    latitude: schema.numberOrNull(),
    longitude: schema.numberOrNull(),
    nautical_speed_knots: schema.numberOrNull(),
    navigational_heading_degrees: schema.numberOrNull(),
    position_timestamp: schema.instantOrNull(),
    positions: schema.anyOf([schema.list(position), Type.Null()]),
  },
  relations: {},
  write: ({ name, imo, mmsi = null, last = null, positions = null }) => ({
    name,
    imo,
    mmsi,
    latitude: last?.latitude ?? null,
    longitude: last?.longitude ?? null,
    nautical_speed_knots: last?.speedKnots ?? null,
    // This is the course over ground: ships transmit it, and a line on a map shows it.
    navigational_heading_degrees: last?.courseDegrees ?? null,
    position_timestamp: last?.heardAt ?? null,
    positions,
  }),
  link: () => ({}),
  meta: {
    properties: {
      listed_name: schema.optional(
        schema.text({
          description: 'The name in the list of ships, if the carrier uses another name.',
        }),
      ),
    },
    write: ({ listedName = null }) => (listedName === null ? {} : { listed_name: listedName }),
  },
}
