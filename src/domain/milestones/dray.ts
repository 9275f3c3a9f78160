/**
 * Trucks that bring a container to a train: from the port to a ramp beside it, or from the ramp of one railway to the
 * ramp of another.
 */

import type { Happening } from '../journey/happenings.ts'
import { type AreaOf, isNear } from '../journey/rail-area.ts'
import type { Statement } from '../statements/statement.ts'

/**
 * A dray takes hours or days. A container that goes by train later than this was picked up in between, and has come
 * back.
 */
const drayMsMax = 7 * 86_400_000

interface DrayContext {
  /** What happened after the gate move. */
  readonly after: readonly Happening[]
  /** Index of the call where the container's way ends. A container that leaves there by truck has been picked up. */
  readonly destination: number | null
  readonly areaOf: AreaOf
}

/**
 * Whether a gate move is part of a dray: the container goes out to a train of the same area, or in at the gate of a
 * ramp. Nobody has picked it up.
 */
export function isGateOfDray(
  { statement, slot, callIndex, at }: Happening,
  { after, destination, areaOf }: DrayContext,
): boolean {
  if (slot.key === 'GTIN LADEN GATE') return isAtRamp(statement)
  if (slot.key !== 'GTOT LADEN GATE' || callIndex === destination) return false
  return after.some(
    (later) =>
      later.at - at <= drayMsMax &&
      isNear(later.call.placeKey, statement.placeKey, areaOf) &&
      (trains.has(later.slot.key) || (later.slot.key === 'GTIN LADEN GATE' && isAtRamp(later.statement))),
  )
}

const trains: ReadonlySet<string> = new Set(['LOAD LADEN RAIL', 'DEPA RAIL'])

function isAtRamp({ claim, event }: Statement): boolean {
  return claim.source.kind === 'rail' || event.place.facilityType === 'RAMP'
}
