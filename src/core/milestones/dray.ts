/** Lorries that bring a box to a train: from the port to a ramp beside it, or from one railway's ramp to another's. */

import type { Happening } from '../journey/happenings.ts'
import { type AreaOf, isNear } from '../journey/rail-area.ts'
import type { Statement } from '../statements/statement.ts'

/** A dray takes hours or days. A box that goes by train later than this was picked up in between, and has come back. */
const drayMsMax = 7 * 86_400_000

interface Beside {
  /** What happened after the gate move. */
  readonly after: readonly Happening[]
  /** Index of the call where the box's way ends. A box that leaves there by lorry has been picked up. */
  readonly destination: number | null
  readonly areaOf: AreaOf
}

/**
 * Whether a gate move is part of a dray: the box goes out to a train of the same area, or in at the gate of a ramp.
 * Nobody has picked it up.
 */
export function isGateOfDray(
  { told, slot, callIndex, at }: Happening,
  { after, destination, areaOf }: Beside,
): boolean {
  if (slot.key === 'GTIN LADEN GATE') return isAtRamp(told)
  if (slot.key !== 'GTOT LADEN GATE' || callIndex === destination) return false
  return after.some(
    (later) =>
      later.at - at <= drayMsMax &&
      isNear(later.call.placeKey, told.placeKey, areaOf) &&
      (trains.has(later.slot.key) || (later.slot.key === 'GTIN LADEN GATE' && isAtRamp(later.told))),
  )
}

const trains: ReadonlySet<string> = new Set(['LOAD LADEN RAIL', 'DEPA RAIL'])

function isAtRamp({ claim, event }: Statement): boolean {
  return claim.source.kind === 'rail' || event.place.facilityType === 'RAMP'
}
