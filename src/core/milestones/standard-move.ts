/**
 * A milestone in the codes of DCSA Track & Trace 2.2, for messages to others: the reverse of `readMilestones`. Some
 * milestones have no code there: that a ship has berthed, that a box can be picked up, that it was delivered.
 */

import type { MilestoneName } from '../shown/projection.ts'
import type { EmptyIndicator, TransportMode } from '../values/codes.ts'

export type StandardMove =
  | {
      readonly type: 'TRANSPORT'
      readonly code: 'ARRI' | 'DEPA'
      /** Null: the milestone does not say it. What its source said counts then. */
      readonly mode: TransportMode | null
    }
  | {
      readonly type: 'EQUIPMENT'
      readonly code: 'LOAD' | 'DISC' | 'GTIN' | 'GTOT'
      readonly load: EmptyIndicator
      /** Null for a gate move: the milestone does not say by what the box came or left. */
      readonly mode: TransportMode | null
    }

export const standardMoves = {
  empty_out: equipment('GTOT', 'EMPTY', null),
  full_in: equipment('GTIN', 'LADEN', null),
  vessel_loaded: equipment('LOAD', 'LADEN', 'VESSEL'),
  vessel_departed: transport('DEPA', 'VESSEL'),
  transshipment_arrived: transport('ARRI', 'VESSEL'),
  transshipment_discharged: equipment('DISC', 'LADEN', 'VESSEL'),
  transshipment_loaded: equipment('LOAD', 'LADEN', 'VESSEL'),
  transshipment_departed: transport('DEPA', 'VESSEL'),
  feeder_arrived: transport('ARRI', 'BARGE'),
  feeder_discharged: equipment('DISC', 'LADEN', 'BARGE'),
  feeder_loaded: equipment('LOAD', 'LADEN', 'BARGE'),
  feeder_departed: transport('DEPA', 'BARGE'),
  vessel_arrived: transport('ARRI', 'VESSEL'),
  vessel_discharged: equipment('DISC', 'LADEN', 'VESSEL'),
  rail_loaded: equipment('LOAD', 'LADEN', 'RAIL'),
  rail_departed: transport('DEPA', 'RAIL'),
  rail_arrived: transport('ARRI', 'RAIL'),
  arrived_at_inland_destination: transport('ARRI', null),
  rail_unloaded: equipment('DISC', 'LADEN', 'RAIL'),
  full_out: equipment('GTOT', 'LADEN', null),
  empty_in: equipment('GTIN', 'EMPTY', null),
} as const satisfies Partial<Record<MilestoneName, StandardMove>>
export type MovedName = keyof typeof standardMoves
export const movedNames = Object.keys(standardMoves) as readonly MovedName[]

/** Null for a milestone that has no code in the standard. */
export function findStandardMove(name: MilestoneName): StandardMove | null {
  return (standardMoves as Partial<Record<MilestoneName, StandardMove>>)[name] ?? null
}

function transport<const Code extends 'ARRI' | 'DEPA'>(code: Code, mode: TransportMode | null) {
  return { type: 'TRANSPORT', code, mode } as const
}

function equipment<const Code extends 'LOAD' | 'DISC' | 'GTIN' | 'GTOT'>(
  code: Code,
  load: EmptyIndicator,
  mode: TransportMode | null,
) {
  return { type: 'EQUIPMENT', code, load, mode } as const
}
