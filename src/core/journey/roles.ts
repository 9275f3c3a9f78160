/** Which call of a journey is the port of loading, which the port of discharge, and where the box goes from there. */

import type { ObservedPlace, ObservedVessel } from '../statements/observation.ts'
import { mayBeSameVessel, placeKeyOf, type Statement, unknownPlaceKey } from '../statements/statement.ts'
import { actualOf, hasSlot, isReachedByFeeder, toldAt } from './call-slots.ts'
import type { Call, Journey } from './journey.ts'
import { type AreaOf, isNear } from './rail-area.ts'
import type { Slot } from './slots.ts'

/** What the documents name, as far as somebody said it. */
export interface NamedPlaces {
  readonly portOfLoading: ObservedPlace | null
  readonly portOfDischarge: ObservedPlace | null
  readonly placeOfDelivery: ObservedPlace | null
  /** Keys of the places where a ship is to take the box, although the time is unknown. */
  readonly sailsOnFrom: ReadonlySet<string>
}

/** Indexes into the journey's calls; null when it has no such call (yet). */
export interface Roles {
  readonly pol: number | null
  readonly pod: number | null
  readonly destination: number | null
  /** Whether the box goes on by rail, or to another place, after the port of discharge. */
  readonly goesInland: boolean
}

/** The calls of a trip, their roles, and the places that documents or the plan name besides. */
export interface Way {
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
    named.placeOfDelivery !== null &&
    podKey !== null &&
    !isNear(podKey, placeKeyOf(named.placeOfDelivery), areaOf)
  return { pol, pod, destination, goesInland: destination !== null || isNamedElsewhere }
}

/**
 * The named port, if it has a call at which a ship loads or leaves. Otherwise the first call at which a ship loads or
 * leaves, planned or not. When the named port has no such call, calls where a ship discharges the box are passed over
 * too: a ship brought the box there, so the first call is one that nobody reported.
 */
function findPol(calls: readonly Call[], named: ObservedPlace | null): number | null {
  const departures = indexesOf(calls, (call) => hasSlot(call, 'LOAD LADEN VESSEL', 'DEPA VESSEL'))
  if (named === null) return departures[0] ?? null
  const key = placeKeyOf(named)
  const isFirst = (index: number) => calls[index] !== undefined && !hasSlot(calls[index], 'DISC LADEN VESSEL')
  return departures.find((index) => calls[index]?.placeKey === key) ?? departures.find(isFirst) ?? null
}

/**
 * The call where the box left the quay laden (by gate or rail) after a ship discharged it: there the voyage has ended,
 * whatever was planned. Otherwise the named port, which a feeder may reach as well. Otherwise the last call at which a
 * ship arrives or discharges, by the best current knowledge, so it may change. Never a port that the box left laden on
 * a ship, nor one before that: of a box at sea nobody knows the port of discharge until a port ahead is named or
 * reported.
 */
function findPod(
  calls: readonly Call[],
  { portOfDischarge, sailsOnFrom }: NamedPlaces,
  pol: number | null,
): number | null {
  const arrivals = indexesOf(
    calls,
    (call) =>
      hasSlot(call, 'DISC LADEN VESSEL') ||
      (hasSlot(call, 'ARRI VESSEL', 'BERTH VESSEL') && !isNowhere(call)),
  ).filter((index) => pol === null || index > pol)
  const left = arrivals.findLast((index) => hasLeftQuay(calls, index))
  if (left !== undefined) return left
  if (portOfDischarge !== null) {
    const lastTaken = calls.findLastIndex((call) => isTakenOn(call, actualOf))
    const key = placeKeyOf(portOfDischarge)
    const byFeeder = indexesOf(calls, isReachedByFeeder).filter((index) => index > (pol ?? -1))
    const isThere = (index: number) => index > lastTaken && calls[index]?.placeKey === key
    return arrivals.findLast(isThere) ?? byFeeder.findLast(isThere) ?? null
  }
  const lastTaken = calls.findLastIndex((call) => isTakenOn(call, toldAt) || sailsOnFrom.has(call.placeKey))
  return arrivals.findLast((index) => index > lastTaken && !isBeyondDischarge(calls, index)) ?? null
}

/**
 * Whether the box left the quay after its discharge. When it is to be loaded on a ship or feeder later than the gate or
 * the train, it only moved within the port.
 */
function hasLeftQuay(calls: readonly Call[], index: number): boolean {
  const call = calls[index]
  if (call === undefined || actualOf(call, 'DISC LADEN VESSEL') === null) return false
  const left = ['GTOT LADEN GATE', 'LOAD LADEN RAIL', 'DEPA RAIL']
    .map((key) => actualOf(call, key))
    .filter((told) => told !== null)
  if (left.length === 0) return false
  const reloads = ['LOAD LADEN VESSEL', 'LOAD LADEN BARGE'].map((key) => toldAt(call, key))
  const isGone = left.some((gone) => reloads.every((told) => told === null || told.until <= gone.from))
  return isGone || calls.slice(index).some((later) => actualOf(later, 'GTIN EMPTY GATE') !== null)
}

/**
 * Whether a ship takes the box from this call: it loads the box; or another ship leaves than the one that brought it;
 * or the ship that came has left, and nothing shows the box ashore. `find`: whether a predicted loading counts too.
 */
function isTakenOn(call: Call, find: (call: Call, key: string) => Statement | null): boolean {
  if (find(call, 'LOAD LADEN VESSEL') !== null) return true
  const departure = actualOf(call, 'DEPA VESSEL')
  if (departure === null) return false
  const discharge = actualOf(call, 'DISC LADEN VESSEL')
  if (discharge === null) return !call.slots.some(isAshore)
  const brought = vesselOf(discharge) ?? vesselOf(actualOf(call, 'ARRI VESSEL'))
  return !mayBeSameVessel(vesselOf(departure), brought)
}

/** Whether the slot shows the box ashore: handled on land, or discharged by whatever carried it. */
function isAshore({ key, actual }: Slot): boolean {
  return actual !== null && /^(DISC|GT|AVPU|LOAD LADEN RAIL|LOAD LADEN BARGE|DEPA RAIL|DEPA BARGE)/.test(key)
}

/** The ship that brought the box sails on without it: its later ports do not concern the box. */
function isBeyondDischarge(calls: readonly Call[], index: number): boolean {
  const call = calls[index]
  if (call === undefined || hasSlot(call, 'DISC LADEN VESSEL')) return false
  const arriving = toldAt(call, 'ARRI VESSEL')
  if (arriving === null || arriving.vesselKey === null) return false
  const setDown = calls
    .slice(0, index)
    .findLastIndex((earlier) => toldAt(earlier, 'DISC LADEN VESSEL')?.vesselKey === arriving.vesselKey)
  if (setDown < 0) return false
  return !calls.slice(setDown, index).some((later) => mayHaveTakenAgain(later, arriving))
}

function vesselOf(told: Statement | null): ObservedVessel | null {
  return told?.event.vessel ?? null
}

function mayHaveTakenAgain(call: Call, ship: Statement): boolean {
  if (hasSlot(call, 'LOAD LADEN BARGE')) return true
  const loading = toldAt(call, 'LOAD LADEN VESSEL')
  return loading !== null && mayBeSameVessel(vesselOf(loading), vesselOf(ship))
}

/**
 * The call at the named place of delivery after the port, else the call in its area where the train sets the box down.
 * With no place named, the last place that the box reaches by rail. Calls before the port of loading are the way to the
 * ship.
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
 * Whether a ship calls somewhere on its way with the box on board: nothing is or will be handled there, and nothing
 * says that the ship that leaves is another than the one that came. Such a call is no transshipment. When no ship is
 * named, nobody can say so.
 */
export function isPassedThrough(calls: readonly Call[], index: number): boolean {
  const call = calls[index]
  if (call === undefined || call.slots.some(({ key }) => /^(LOAD|DISC|GTIN|GTOT) (LADEN|\?)/.test(key)))
    return false
  const arriving = vesselOf(toldAt(call, 'ARRI VESSEL'))
  const leaving = vesselOf(toldAt(call, 'DEPA VESSEL'))
  if (arriving === null && leaving === null) return isNowhere(call)
  return mayBeSameVessel(arriving ?? lastTakenBy(calls, index), leaving)
}

/** Nobody said where the ship called: it may be any of the ports that are known. */
function isNowhere(call: Call): boolean {
  return call.placeKey === unknownPlaceKey
}

function lastTakenBy(calls: readonly Call[], index: number): ObservedVessel | null {
  const taken = calls.slice(0, index).findLast((call) => actualOf(call, 'LOAD LADEN VESSEL') !== null)
  return taken === undefined ? null : vesselOf(actualOf(taken, 'LOAD LADEN VESSEL'))
}
