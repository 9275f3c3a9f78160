/**
 * The statements of railways about a container on its way to the ship. They do not concern the container's port of
 * discharge and the steps after it.
 */

import type { FactName } from '../statements/observation.ts'
import { statedAtMsOf } from '../statements/statement.ts'
import { hasSlot, statementAt } from './call-slots.ts'
import type { Call, Journey } from './journey.ts'
import type { FactClaim } from './trip.ts'

/**
 * Facts about the end of a train's way: which railway it is, until when the container may stay there free of charge,
 * and what is needed or missing to pick it up.
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
 * The facts without those that railways stated about the end of a train before the first ship was to load the
 * container: that train ends at the ship.
 */
export function dropRailFactsBeforeSailing(facts: readonly FactClaim[], journey: Journey): readonly FactClaim[] {
  if (!facts.some(isOfTrain)) return facts
  const sailsAt = sailingOf(journey)
  return sailsAt === null ? facts : facts.filter((fact) => !isOfTrain(fact) || statedAtMsOf(fact) >= sailsAt)
}

function isOfTrain({ source, observation }: FactClaim): boolean {
  return source.kind === 'rail' && ofTheEnd.has(observation.fact)
}

/**
 * When the first ship left or is to leave with the container. Infinity while the container is only on its way to a
 * ship, at an unknown time. Null when a ship has brought the container and nobody reported the first ship, or when
 * there are no statements about ships.
 */
function sailingOf({ calls }: Journey): number | null {
  const first = calls.find((call) => hasSlot(call, ...comings, ...goings))
  if (first === undefined) return beginsByTrain(calls) ? Infinity : null
  if (hasSlot(first, ...comings)) return null
  const going = goings.map((key) => statementAt(first, key)).find((statement) => statement !== null)
  return going?.from ?? null
}

/** The slots of a ship that comes to a call, and of a ship that leaves it. */
export const comings = ['ARRI VESSEL', 'BERTH VESSEL', 'DISC LADEN VESSEL']
export const goings = ['DEPA VESSEL', 'LOAD LADEN VESSEL']
/**
 * Whether the journey begins with a train to a ship, as an export: the train carries the container away from the place
 * where it came in at the gate (or went out empty), and no train had brought it there.
 */
function beginsByTrain(calls: readonly Call[]): boolean {
  const first = calls.find((call) => call.slots.some(({ key }) => key.endsWith(' RAIL')))
  if (first === undefined || hasSlot(first, 'ARRI RAIL', 'DISC LADEN RAIL')) return false
  return hasSlot(first, 'GTOT EMPTY GATE', 'GTIN LADEN GATE')
}
