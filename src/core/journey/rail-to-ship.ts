/**
 * What railways say about a box on its way to the ship. It does not concern the box's port of discharge and what
 * follows.
 */

import type { FactName } from '../statements/observation.ts'
import { saidAt } from '../statements/statement.ts'
import { hasSlot, toldAt } from './call-slots.ts'
import type { Call, Journey } from './journey.ts'
import type { FactClaim } from './trip.ts'

/**
 * Facts about the end of a train's way: which railway it is, until when the box may stand there free of charge, and
 * what is needed or missing to pick it up.
 */
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

/**
 * The facts without those that railways stated about the end of a train before the first ship was to take the box: that
 * train ends at the ship.
 */
export function sinceSailing(facts: readonly FactClaim[], journey: Journey): readonly FactClaim[] {
  if (!facts.some(isOfTrain)) return facts
  const sailsAt = sailingOf(journey)
  return sailsAt === null ? facts : facts.filter((fact) => !isOfTrain(fact) || saidAt(fact) >= sailsAt)
}

function isOfTrain({ source, observation }: FactClaim): boolean {
  return source.kind === 'rail' && ofTheEnd.has(observation.fact)
}

/**
 * When the first ship left or is to leave with the box. Infinity while the box is only on its way to a ship, at an
 * unknown time. Null when a ship has brought the box and nobody reported the first ship, or when nothing is said about
 * ships.
 */
function sailingOf({ calls }: Journey): number | null {
  const first = calls.find((call) => hasSlot(call, ...comings, ...goings))
  if (first === undefined) return beginsByTrain(calls) ? Infinity : null
  if (hasSlot(first, ...comings)) return null
  const going = goings.map((key) => toldAt(first, key)).find((told) => told !== null)
  return going?.from ?? null
}

/** The slots of a ship that comes to a call, and of a ship that leaves it. */
export const comings = ['ARRI VESSEL', 'BERTH VESSEL', 'DISC LADEN VESSEL']
export const goings = ['DEPA VESSEL', 'LOAD LADEN VESSEL']
/**
 * Whether the journey begins with a train to a ship, as an export: the train takes the box where it came in at the gate
 * (or went out empty), and no train had brought it there.
 */
function beginsByTrain(calls: readonly Call[]): boolean {
  const first = calls.find((call) => call.slots.some(({ key }) => key.endsWith(' RAIL')))
  if (first === undefined || hasSlot(first, 'ARRI RAIL', 'DISC LADEN RAIL')) return false
  return hasSlot(first, 'GTOT EMPTY GATE', 'GTIN LADEN GATE')
}
