/** What railways say of a box on its way to the ship, and what is therefore nothing to its port of discharge and beyond. */

import type { FactName } from '../statements/observation.ts'
import { saidAt } from '../statements/statement.ts'
import { hasSlot, toldAt } from './call-slots.ts'
import type { Call, Journey } from './journey.ts'
import type { FactClaim } from './trip.ts'

/** Of the end of a train's way: whose it is, until when it is free there, and what stands in the way of fetching a box. */
const ofTheEnd: ReadonlySet<FactName> = new Set<FactName>([
  'place_of_delivery',
  'pod_rail_carrier',
  'destination_rail_carrier',
  'pickup_lfd_rail',
  'pickup_appointment',
  'pickup_number',
  'available',
  'holds',
  'hold',
  'fees',
  'fee',
  'yard_location',
  'chassis_number',
])

/** Without what railways said of the end of a train before the first ship was to take the box: that train ends at the ship. */
export function sinceSailing(facts: readonly FactClaim[], journey: Journey): readonly FactClaim[] {
  if (!facts.some(isOfTrain)) return facts
  const sailsAt = sailingOf(journey)
  return sailsAt === null ? facts : facts.filter((fact) => !isOfTrain(fact) || saidAt(fact) >= sailsAt)
}

function isOfTrain({ source, observation }: FactClaim): boolean {
  return source.kind === 'rail' && ofTheEnd.has(observation.fact)
}

/**
 * When the first ship left or is to leave with the box: at a time that nobody has said while it is but on its way to one.
 * Null where a ship has brought it and nobody told of the first, or nothing tells of ships.
 */
function sailingOf({ calls }: Journey): number | null {
  const first = calls.find((call) => hasSlot(call, ...comings, ...goings))
  if (first === undefined) return beginsByTrain(calls) ? Infinity : null
  if (hasSlot(first, ...comings)) return null
  const going = goings.map((key) => toldAt(first, key)).find((told) => told !== null)
  return going?.from ?? null
}

/** A ship's coming to a call and its going from there, by slot. */
export const comings = ['ARRI VESSEL', 'BERTH VESSEL', 'DISC LADEN VESSEL']
export const goings = ['DEPA VESSEL', 'LOAD LADEN VESSEL']
/** An export: the train takes the box where it came in at the gate, and none had brought it there. */
function beginsByTrain(calls: readonly Call[]): boolean {
  const first = calls.find((call) => call.slots.some(({ key }) => key.endsWith(' RAIL')))
  if (first === undefined || hasSlot(first, 'ARRI RAIL', 'DISC LADEN RAIL')) return false
  return hasSlot(first, 'GTOT EMPTY GATE', 'GTIN LADEN GATE')
}
