/**
 * Which places are named as the ends of the way: by documents, else by the plan. A plan may name a ship's call without
 * its time. Even then the port of discharge, or the port of first loading, is known when the plan leaves no doubt.
 */

import type { ObservedPlace } from '../statements/observation.ts'
import { compareText, placeKeyOf, unknownPlaceKey } from '../statements/statement.ts'
import { isListed } from '../statements/trust.ts'
import { canonicalJson } from '../values/json-value.ts'
import { callAt, hasSlot } from './call-slots.ts'
import { believedValue } from './facts.ts'
import { type Call, type Journey, mergeJourney } from './journey.ts'
import { type KnownEnds, partPapers, placePapers } from './papers.ts'
import { comings, goings, sinceSailing } from './rail-to-ship.ts'
import { assignRoles, type NamedPlaces } from './roles.ts'
import type { FactClaim, Trip } from './trip.ts'

/**
 * A box's trip as its transport calls, the ends of its way, and its facts without those that only concern its way to
 * the ship.
 */
export interface ReadWay {
  readonly journey: Journey
  readonly named: NamedPlaces
  readonly facts: readonly FactClaim[]
}

/** Where papers speak of ships' calls, the way is first read without them, so that they add no end of their own. */
export function readWay(trip: Pick<Trip, 'statements' | 'facts'>): ReadWay {
  const { papers, told } = partPapers(trip.statements)
  const { facts } = trip
  if (papers.length === 0) return wayOf(trip)
  const placed = placePapers(papers, told, endsOf(wayOf({ statements: told, facts })))
  const way = wayOf({ statements: [...told, ...placed.statements], facts })
  return { ...way, journey: { ...way.journey, issues: [...way.journey.issues, ...placed.issues] } }
}

function endsOf({ journey, named }: ReadWay): KnownEnds {
  // Where a box is loaded and discharged depends on no area of a railway.
  const { pol, pod } = assignRoles(journey, named, () => null)
  const keyOf = (index: number | null, place: ObservedPlace | null): string | null =>
    callAt(journey, index)?.placeKey ?? (place === null ? null : placeKeyOf(place))
  return { loadedAt: keyOf(pol, named.portOfLoading), dischargedAt: keyOf(pod, named.portOfDischarge) }
}

function wayOf({ statements, facts: all }: Pick<Trip, 'statements' | 'facts'>): ReadWay {
  const portOfLoading = believedValue('port_of_loading', all)
  const portOfDischarge = believedValue('port_of_discharge', all)
  const journey = mergeJourney(statements, portOfDischarge === null ? null : placeKeyOf(portOfDischarge))
  const facts = sinceSailing(all, journey)
  const arrivals = undated('undated_arrival', facts)
  const departures = undated('undated_departure', facts)
  const comesTo = new Set([...arrivals.keys(), ...keysOf(journey.calls, comings)])
  const leaves = new Set([...departures.keys(), ...keysOf(journey.calls, goings)])
  const named = {
    portOfLoading: portOfLoading ?? onlyOne(leaves, comesTo, departures),
    portOfDischarge: portOfDischarge ?? onlyOne(comesTo, leaves, arrivals),
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

function undated(
  name: 'undated_arrival' | 'undated_departure',
  facts: readonly FactClaim[],
): ReadonlyMap<string, ObservedPlace> {
  const places = facts
    .filter(isListed)
    .flatMap(({ observation }) => (observation.fact === name ? [observation.value] : []))
  return new Map(
    places
      .map((place) => [placeKeyOf(place), place] as const)
      .filter(([key]) => key !== unknownPlaceKey)
      .toSorted(
        ([a, placeA], [b, placeB]) =>
          compareText(a, b) || compareText(canonicalJson(placeA), canonicalJson(placeB)),
      ),
  )
}
