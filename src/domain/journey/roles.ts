/**
 * Which call of a journey is the port of loading, which the port of discharge, and where the container goes from there.
 */

import type { ObservedPlace, ObservedVessel } from '../statements/observation.ts'
import { mayBeSameVessel, placeKeyOf, type Statement, unknownPlaceKey } from '../statements/statement.ts'
import { actualOf, hasSlot, isReachedByFeeder, statementAt } from './call-slots.ts'
import type { Call, Journey } from './journey.ts'
import { type AreaOf, isNear } from './rail-area.ts'
import type { Slot } from './slots.ts'

/** The places that the documents name, as far as they were stated. */
export interface NamedPlaces {
  readonly portOfLoading: ObservedPlace | null
  readonly portOfDischarge: ObservedPlace | null
  readonly placeOfDelivery: ObservedPlace | null
  /** Keys of the places where a ship is to load the container, although the time is unknown. */
  readonly sailsOnFrom: ReadonlySet<string>
}

/** Indexes into the journey's calls; null when it has no such call (yet). */
export interface Roles {
  readonly pol: number | null
  readonly pod: number | null
  readonly destination: number | null
  /** Whether the container goes on by rail, or to another place, after the port of discharge. */
  readonly goesInland: boolean
}

/** The calls of a trip, their roles, and the places that documents or the plan name besides. */
export interface TripRoute {
  readonly journey: Journey
  readonly roles: Roles
  readonly named: NamedPlaces
}

export function assignRoles(journey: Journey, named: NamedPlaces, areaOf: AreaOf): Roles {
  const { calls } = journey
  const pol = findPol(calls, named.portOfLoading)
  const pod = findPod(calls, named, pol)
  const destination = findDestination(calls, named.placeOfDelivery, { pol, pod, areaOf })
  const podKey =
    (pod === null ? undefined : calls[pod]?.placeKey) ??
    (named.portOfDischarge === null ? null : placeKeyOf(named.portOfDischarge))
  const isNamedElsewhere =
    named.placeOfDelivery !== null && podKey !== null && !isNear(podKey, placeKeyOf(named.placeOfDelivery), areaOf)
  return { pol, pod, destination, goesInland: destination !== null || isNamedElsewhere }
}

/**
 * The named port, if it has a call at which a ship loads or leaves. Otherwise the first call at which a ship loads or
 * leaves, planned or not. When the named port has no such call, calls where a ship discharges the container are passed
 * over too: a ship brought the container there, so the first call is one that nobody reported.
 */
function findPol(calls: readonly Call[], named: ObservedPlace | null): number | null {
  const departures = indexesOf(calls, (call) => hasSlot(call, 'LOAD LADEN VESSEL', 'DEPA VESSEL'))
  if (named === null) return departures[0] ?? null
  const isFirst = (index: number) => calls[index] !== undefined && !hasSlot(calls[index], 'DISC LADEN VESSEL')
  return departures.find((index) => isCallAt(calls[index], named)) ?? departures.find(isFirst) ?? null
}

/**
 * The call where the container left the quay laden (by gate or rail) after a ship discharged it: there the voyage has
 * ended, whatever was planned. Otherwise the named port, which a feeder may reach as well. Otherwise the last call at
 * which a ship arrives or discharges, by the best current knowledge, so it may change. Never a port that the container
 * left laden on a ship, nor one before that: while a container is at sea, the port of discharge is unknown until a port
 * ahead is named or reported.
 */
function findPod(
  calls: readonly Call[],
  { portOfDischarge, sailsOnFrom }: NamedPlaces,
  pol: number | null,
): number | null {
  const arrivals = indexesOf(
    calls,
    (call) => hasSlot(call, 'DISC LADEN VESSEL') || (hasSlot(call, 'ARRI VESSEL', 'BERTH VESSEL') && !isNowhere(call)),
  ).filter((index) => pol === null || index > pol)
  const afterQuay = arrivals.findLast((index) => hasLeftQuay(calls, index))
  if (afterQuay !== undefined) return afterQuay
  if (portOfDischarge !== null) {
    const lastLoaded = calls.findLastIndex((call) => isLoadedOnward(call, actualOf))
    const byFeeder = indexesOf(calls, isReachedByFeeder).filter((index) => index > (pol ?? -1))
    const isThere = (index: number) => index > lastLoaded && isCallAt(calls[index], portOfDischarge)
    return arrivals.findLast(isThere) ?? byFeeder.findLast(isThere) ?? null
  }
  const lastLoaded = calls.findLastIndex((call) => isLoadedOnward(call, statementAt) || sailsOnFrom.has(call.placeKey))
  return arrivals.findLast((index) => index > lastLoaded && !isBeyondDischarge(calls, index)) ?? null
}

/**
 * A place that is known only by its name is also the place of a call with a code, when one name has all words of the
 * other.
 */
function isCallAt(call: Call | undefined, named: ObservedPlace): boolean {
  if (call === undefined) return false
  if (call.placeKey === placeKeyOf(named)) return true
  if (named.unlocode !== null) return false
  const [a, b] = [wordsOf(named), wordsOf(call.place)]
  return Math.min(a.size, b.size) > 0 && (a.isSubsetOf(b) || b.isSubsetOf(a))
}

function wordsOf({ name }: ObservedPlace): ReadonlySet<string> {
  return new Set(name?.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? [])
}

/**
 * Whether the container left the quay after its discharge. When it is to be loaded on a ship or feeder later than the
 * gate or the train, it only moved within the port.
 */
function hasLeftQuay(calls: readonly Call[], index: number): boolean {
  const call = calls[index]
  if (call === undefined || actualOf(call, 'DISC LADEN VESSEL') === null) return false
  const landDepartures = ['GTOT LADEN GATE', 'LOAD LADEN RAIL', 'DEPA RAIL']
    .map((key) => actualOf(call, key))
    .filter((statement) => statement !== null)
  if (landDepartures.length === 0) return false
  const reloads = ['LOAD LADEN VESSEL', 'LOAD LADEN BARGE'].map((key) => statementAt(call, key))
  const isDeparted = landDepartures.some((landDeparture) =>
    reloads.every((statement) => statement === null || statement.until <= landDeparture.from),
  )
  return isDeparted || calls.slice(index).some((later) => actualOf(later, 'GTIN EMPTY GATE') !== null)
}

/**
 * Whether a ship carries the container on from this call: it loads the container; or another ship leaves than the one
 * that brought it; or the ship that came has left, and nothing shows the container ashore. `find`: whether a predicted
 * loading counts too.
 */
function isLoadedOnward(call: Call, find: (call: Call, key: string) => Statement | null): boolean {
  if (find(call, 'LOAD LADEN VESSEL') !== null) return true
  const departure = actualOf(call, 'DEPA VESSEL')
  if (departure === null) return false
  const discharge = actualOf(call, 'DISC LADEN VESSEL')
  if (discharge === null) return !call.slots.some(isAshore)
  const inboundVessel = vesselOf(discharge) ?? vesselOf(actualOf(call, 'ARRI VESSEL'))
  return !mayBeSameVessel(vesselOf(departure), inboundVessel)
}

/** Whether the slot shows the container ashore: handled on land, or discharged from its vehicle. */
function isAshore({ key, actual }: Slot): boolean {
  return actual !== null && /^(DISC|GT|AVPU|LOAD LADEN RAIL|LOAD LADEN BARGE|DEPA RAIL|DEPA BARGE)/.test(key)
}

/** The ship that brought the container sails on without it: its later ports do not concern the container. */
function isBeyondDischarge(calls: readonly Call[], index: number): boolean {
  const call = calls[index]
  if (call === undefined || hasSlot(call, 'DISC LADEN VESSEL')) return false
  const arriving = statementAt(call, 'ARRI VESSEL')
  if (arriving === null || arriving.vesselKey === null) return false
  const setDown = calls
    .slice(0, index)
    .findLastIndex((earlier) => statementAt(earlier, 'DISC LADEN VESSEL')?.vesselKey === arriving.vesselKey)
  if (setDown < 0) return false
  return !calls.slice(setDown, index).some((later) => mayHaveReloaded(later, arriving))
}

function vesselOf(statement: Statement | null): ObservedVessel | null {
  return statement?.event.vessel ?? null
}

function mayHaveReloaded(call: Call, ship: Statement): boolean {
  if (hasSlot(call, 'LOAD LADEN BARGE')) return true
  const loading = statementAt(call, 'LOAD LADEN VESSEL')
  return loading !== null && mayBeSameVessel(vesselOf(loading), vesselOf(ship))
}

/**
 * The call at the named place of delivery after the port, else the call in its area where the train unloads the
 * container. With no place named, the last place that the container reaches by rail. Calls before the port of loading
 * are the way to the ship.
 */
function findDestination(
  calls: readonly Call[],
  named: ObservedPlace | null,
  { pol, pod, areaOf }: { readonly areaOf: AreaOf } & Pick<Roles, 'pol' | 'pod'>,
): number | null {
  const podKey = pod === null ? null : calls[pod]?.placeKey
  const after = indexesOf(calls, () => true).filter((index) => index > (pod ?? pol ?? -1))
  const railEnds = after.filter((index) => calls[index] !== undefined && isRailEnd(calls[index], podKey))
  if (named === null) return pod === null ? null : (railEnds.at(-1) ?? null)
  const key = placeKeyOf(named)
  if (key === podKey) return null
  return (
    after.find((index) => calls[index]?.placeKey === key) ??
    railEnds.findLast((index) => isNear(calls[index]?.placeKey ?? '', key, areaOf)) ??
    null
  )
}

function isRailEnd(call: Call, podKey: string | null | undefined): boolean {
  return call.placeKey !== podKey && hasSlot(call, 'ARRI RAIL', 'DISC LADEN RAIL')
}

function indexesOf(calls: readonly Call[], isWanted: (call: Call) => boolean): readonly number[] {
  return calls.flatMap((call, index) => (isWanted(call) ? [index] : []))
}

/**
 * Whether a ship calls somewhere on its way with the container on board: nothing is or will be handled there, and no
 * statement shows that the ship that leaves is another than the one that came. Such a call is no transshipment. When no
 * ship is named, this is unknown.
 */
export function isPassedThrough(calls: readonly Call[], index: number): boolean {
  const call = calls[index]
  if (call === undefined || call.slots.some(({ key }) => /^(LOAD|DISC|GTIN|GTOT) (LADEN|\?)/.test(key))) return false
  const arriving = vesselOf(statementAt(call, 'ARRI VESSEL'))
  const leaving = vesselOf(statementAt(call, 'DEPA VESSEL'))
  if (arriving === null && leaving === null) return isNowhere(call)
  return mayBeSameVessel(arriving ?? lastLoadingVessel(calls, index), leaving)
}

/** No source stated where the ship called: it may be any of the known ports. */
function isNowhere(call: Call): boolean {
  return call.placeKey === unknownPlaceKey
}

function lastLoadingVessel(calls: readonly Call[], index: number): ObservedVessel | null {
  const loadingCall = calls.slice(0, index).findLast((call) => actualOf(call, 'LOAD LADEN VESSEL') !== null)
  return loadingCall === undefined ? null : vesselOf(actualOf(loadingCall, 'LOAD LADEN VESSEL'))
}
