/**
 * Which places are named as the ends of the way: by documents, else by the plan. A plan may name a ship's call without
 * its time. Even then the port of discharge, or the port of first loading, is known when the plan leaves no doubt.
 */

import type { ObservedPlace } from '../statements/observation.ts'
import { compareText, placeKeyOf, unknownPlaceKey } from '../statements/statement.ts'
import { isBelievableFact } from '../statements/trust.ts'
import { canonicalJson } from '../values/json-value.ts'
import { hasSlot } from './call-slots.ts'
import { believedValue } from './facts.ts'
import { type Call, type Journey, mergeJourney } from './journey.ts'
import { comings, dropRailFactsBeforeSailing, goings } from './rail-to-ship.ts'
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
