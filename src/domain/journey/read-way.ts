/**
 * Which places are named as the ends of the way: by documents, else by the plan. A plan may name a ship's call without
 * its time. Even then the port of discharge, or the port of first loading, is known when the plan leaves no doubt.
 */

import type { FactName, ObservedPlace } from '../statements/observation.ts'
import { compareText, placeKeyOf, statedAtMsOf, unknownPlaceKey } from '../statements/statement.ts'
import { isBelievableFact } from '../statements/trust.ts'
import { canonicalJson } from '../values/json-value.ts'
import { hasSlot, statementAt } from './call-slots.ts'
import { believedValue } from './facts.ts'
import { type Call, type Journey, mergeJourney } from './journey.ts'
import type { NamedPlaces } from './roles.ts'
import type { FactClaim, Trip } from './trip.ts'

/**
 * A container's trip as its transport calls, the ends of its way, and its facts without those that only concern its way
 * to the ship.
 */
export function readTripRoute({ statements, facts: all }: Pick<Trip, 'statements' | 'facts'>): {
  readonly journey: Journey
  readonly named: NamedPlaces
  readonly facts: readonly FactClaim[]
} {
  const portOfLoading = believedValue('port_of_loading', all)
  const portOfDischarge = believedValue('port_of_discharge', all)
  const journey = mergeJourney(statements, portOfDischarge === null ? null : placeKeyOf(portOfDischarge))
  const facts = dropRailFactsBeforeSailing(all, journey)
  const arrivals = undatedPlaces('undated_arrival', facts)
  const departures = undatedPlaces('undated_departure', facts)
  const comesTo = new Set([...arrivals.keys(), ...keysOf(journey.calls, comings)])
  const departsFrom = new Set([...departures.keys(), ...keysOf(journey.calls, goings)])
  const named = {
    portOfLoading: portOfLoading ?? onlyOne(departsFrom, comesTo, departures),
    portOfDischarge: portOfDischarge ?? onlyOne(comesTo, departsFrom, arrivals),
    placeOfDelivery: believedValue('place_of_delivery', facts),
    sailsOnFrom: new Set(departures.keys()),
  }
  return { journey, named, facts }
}

/** The only place of `keys` that is not in `others`. Null when there are two: nobody knows which comes first. */
function onlyOne(
  keys: ReadonlySet<string>,
  others: ReadonlySet<string>,
  places: ReadonlyMap<string, ObservedPlace>,
): ObservedPlace | null {
  const [end, second] = [...keys].filter((key) => !others.has(key))
  return end === undefined || second !== undefined ? null : (places.get(end) ?? null)
}

function keysOf(calls: readonly Call[], slots: readonly string[]): readonly string[] {
  return calls.filter((call) => hasSlot(call, ...slots)).map(({ placeKey }) => placeKey)
}

function undatedPlaces(
  name: 'undated_arrival' | 'undated_departure',
  facts: readonly FactClaim[],
): ReadonlyMap<string, ObservedPlace> {
  const places = facts
    .filter(isBelievableFact)
    .flatMap(({ observation }) => (observation.fact === name ? [observation.value] : []))
  return new Map(
    places
      .map((place) => [placeKeyOf(place), place] as const)
      .filter(([key]) => key !== unknownPlaceKey)
      .toSorted(
        ([a, placeA], [b, placeB]) => compareText(a, b) || compareText(canonicalJson(placeA), canonicalJson(placeB)),
      ),
  )
}

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
function dropRailFactsBeforeSailing(facts: readonly FactClaim[], journey: Journey): readonly FactClaim[] {
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
const comings = ['ARRI VESSEL', 'BERTH VESSEL', 'DISC LADEN VESSEL']
const goings = ['DEPA VESSEL', 'LOAD LADEN VESSEL']
/**
 * Whether the journey begins with a train to a ship, as an export: the train carries the container away from the place
 * where it came in at the gate (or went out empty), and no train had brought it there.
 */
function beginsByTrain(calls: readonly Call[]): boolean {
  const first = calls.find((call) => call.slots.some(({ key }) => key.endsWith(' RAIL')))
  if (first === undefined || hasSlot(first, 'ARRI RAIL', 'DISC LADEN RAIL')) return false
  return hasSlot(first, 'GTOT EMPTY GATE', 'GTIN LADEN GATE')
}
