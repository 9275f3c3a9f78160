/** `vessel`: a ship by its IMO number; its positions are asked for elsewhere. */

import { findVesselByImo, vesselId } from '../../../reference/vessels.ts'
import type { Identified, Identifier, ResourceKind } from '../resource.ts'
import * as schema from '../schema.ts'

export interface VesselReading extends Identified {
  readonly type: 'vessel'
  readonly imo: string
  readonly name: string
}

/** A ship that we do not list bears the name that the source gives it, else its number. Null without a good IMO number. */
export function readVessel(imo: string | null, name: string | null): VesselReading | null {
  const id = imo === null ? null : vesselId(imo)
  if (imo === null || id === null) return null
  return { type: 'vessel', id, imo, name: findVesselByImo(imo)?.name ?? name ?? `IMO ${imo}` }
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
    positions: { type: ['array', 'null'], items: { type: 'object' } },
  },
  relations: {},
  write: ({ name, imo }) => ({
    name,
    imo,
    mmsi: null,
    latitude: null,
    longitude: null,
    nautical_speed_knots: null,
    navigational_heading_degrees: null,
    position_timestamp: null,
    positions: null,
  }),
  link: () => ({}),
}
