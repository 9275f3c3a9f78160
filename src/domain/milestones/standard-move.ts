/**
 * A milestone in the codes of DCSA Track & Trace 2.2, for messages to others: the reverse of `readMilestones`. Some
 * milestones have no code there: that a ship has berthed, that a container can be picked up, that it was delivered.
 */

import type { EmptyIndicator, TransportMode } from '../values/codes.ts'
import type { MilestoneName } from '../view/projection.ts'

export type StandardMove =
  | {
      readonly type: 'TRANSPORT'
      readonly code: 'ARRI' | 'DEPA'
      /** Null: the milestone does not contain it. The statement of its source counts then. */
      readonly mode: TransportMode | null
    }
  | {
      readonly type: 'EQUIPMENT'
      readonly code: 'LOAD' | 'DISC' | 'GTIN' | 'GTOT'
      readonly load: EmptyIndicator
      /** Null for a gate move: the milestone does not show by which mode the container came or left. */
      readonly mode: TransportMode | null
    }

export const standardMoves = {
  empty_out: equipmentMove('GTOT', 'EMPTY', null),
  full_in: equipmentMove('GTIN', 'LADEN', null),
  vessel_loaded: equipmentMove('LOAD', 'LADEN', 'VESSEL'),
  vessel_departed: transportMove('DEPA', 'VESSEL'),
  transshipment_arrived: transportMove('ARRI', 'VESSEL'),
  transshipment_discharged: equipmentMove('DISC', 'LADEN', 'VESSEL'),
  transshipment_loaded: equipmentMove('LOAD', 'LADEN', 'VESSEL'),
  transshipment_departed: transportMove('DEPA', 'VESSEL'),
  feeder_arrived: transportMove('ARRI', 'BARGE'),
  feeder_discharged: equipmentMove('DISC', 'LADEN', 'BARGE'),
  feeder_loaded: equipmentMove('LOAD', 'LADEN', 'BARGE'),
  feeder_departed: transportMove('DEPA', 'BARGE'),
  vessel_arrived: transportMove('ARRI', 'VESSEL'),
  vessel_discharged: equipmentMove('DISC', 'LADEN', 'VESSEL'),
  rail_loaded: equipmentMove('LOAD', 'LADEN', 'RAIL'),
  rail_departed: transportMove('DEPA', 'RAIL'),
  rail_arrived: transportMove('ARRI', 'RAIL'),
  arrived_at_inland_destination: transportMove('ARRI', null),
  rail_unloaded: equipmentMove('DISC', 'LADEN', 'RAIL'),
  full_out: equipmentMove('GTOT', 'LADEN', null),
  empty_in: equipmentMove('GTIN', 'EMPTY', null),
} as const satisfies Partial<Record<MilestoneName, StandardMove>>
export type StandardMoveName = keyof typeof standardMoves
export const movedNames = Object.keys(standardMoves) as readonly StandardMoveName[]

/** Null for a milestone that has no code in the standard. */
export function findStandardMove(name: MilestoneName): StandardMove | null {
  return (standardMoves as Partial<Record<MilestoneName, StandardMove>>)[name] ?? null
}

function transportMove<const Code extends 'ARRI' | 'DEPA'>(code: Code, mode: TransportMode | null) {
  return { type: 'TRANSPORT', code, mode } as const
}

function equipmentMove<const Code extends 'LOAD' | 'DISC' | 'GTIN' | 'GTOT'>(
  code: Code,
  load: EmptyIndicator,
  mode: TransportMode | null,
) {
  return { type: 'EQUIPMENT', code, load, mode } as const
}
