/** Which call of a journey is the port of loading, which the port of discharge, and where the box goes from there. */

import type { Call, Journey } from './journey.ts'
import type { ObservedPlace } from './observation.ts'
import type { Slot } from './slots.ts'
import { placeKeyOf, type Statement } from './statement.ts'

/** What the documents name, as far as somebody said it. */
export interface NamedPlaces {
  readonly portOfLoading: ObservedPlace | null
  readonly portOfDischarge: ObservedPlace | null
  readonly placeOfDelivery: ObservedPlace | null
}

/** Indexes into the journey's calls; null when it has no such call (yet). */
export interface Roles {
  readonly pol: number | null
  readonly pod: number | null
  readonly destination: number | null
  /** Whether the box goes on by rail, or to another place, after the port of discharge. */
  readonly goesInland: boolean
}

export function assignRoles(journey: Journey, named: NamedPlaces): Roles {
  const { calls } = journey
  const pol = findPol(calls, named.portOfLoading)
  const pod = findPod(calls, named.portOfDischarge, pol)
  const destination = findDestination(calls, named.placeOfDelivery, pod)
  const isNamedElsewhere =
    named.placeOfDelivery !== null &&
    pod !== null &&
    calls[pod]?.placeKey !== placeKeyOf(named.placeOfDelivery)
  return { pol, pod, destination, goesInland: destination !== null || isNamedElsewhere }
}

/** The named port where it has a call by ship; else the first call at which a ship loads or leaves, planned or not. */
function findPol(calls: readonly Call[], named: ObservedPlace | null): number | null {
  const departures = indexesOf(calls, (call) => hasSlot(call, 'LOAD LADEN VESSEL', 'DEPA VESSEL'))
  const key = named === null ? null : placeKeyOf(named)
  return departures.find((index) => calls[index]?.placeKey === key) ?? departures[0] ?? null
}

/**
 * Where the box left the quay laden (by gate or rail) after a ship discharged it, there the voyage has ended,
 * whatever was planned. Else the named port; else the last call at which a ship arrives or discharges: by best
 * current knowledge, so it may change.
 */
function findPod(calls: readonly Call[], named: ObservedPlace | null, pol: number | null): number | null {
  const arrivals = indexesOf(calls, (call) =>
    hasSlot(call, 'DISC LADEN VESSEL', 'ARRI VESSEL', 'BERTH VESSEL'),
  ).filter((index) => pol === null || index > pol)
  const left = arrivals.findLast((index) => hasLeftQuay(calls, index))
  if (left !== undefined) return left
  if (named !== null)
    return arrivals.findLast((index) => calls[index]?.placeKey === placeKeyOf(named)) ?? null
  return arrivals.findLast((index) => !isBeyondDischarge(calls, index)) ?? null
}

function hasLeftQuay(calls: readonly Call[], index: number): boolean {
  const call = calls[index]
  if (call === undefined || actualOf(call, 'DISC LADEN VESSEL') === null) return false
  const isReloaded = hasSlot(call, 'LOAD LADEN VESSEL', 'LOAD LADEN BARGE')
  if (isReloaded) return false
  return ['GTOT LADEN GATE', 'LOAD LADEN RAIL', 'DEPA RAIL'].some((key) => actualOf(call, key) !== null)
}

/** The ship that brought the box sails on: its later ports are nothing to a box that was discharged before. */
function isBeyondDischarge(calls: readonly Call[], index: number): boolean {
  const call = calls[index]
  if (call === undefined || hasSlot(call, 'DISC LADEN VESSEL')) return false
  const arriving = vesselAt(call, 'ARRI VESSEL')
  if (arriving === null) return false
  return calls
    .slice(0, index)
    .some(
      (earlier) =>
        vesselAt(earlier, 'DISC LADEN VESSEL') === arriving &&
        !hasSlot(earlier, 'LOAD LADEN VESSEL', 'LOAD LADEN BARGE'),
    )
}

/** The named place of delivery beyond the port; else the last place that the box reaches by rail. */
function findDestination(
  calls: readonly Call[],
  named: ObservedPlace | null,
  pod: number | null,
): number | null {
  const key = named === null ? null : placeKeyOf(named)
  const podKey = pod === null ? null : calls[pod]?.placeKey
  const after = indexesOf(calls, () => true).filter((index) => index > (pod ?? -1))
  if (key !== null) {
    if (key === podKey) return null
    return after.find((index) => calls[index]?.placeKey === key) ?? null
  }
  return pod === null
    ? null
    : (after.findLast((index) => calls[index] !== undefined && isRailEnd(calls[index], podKey)) ?? null)
}

function isRailEnd(call: Call, podKey: string | null | undefined): boolean {
  return call.placeKey !== podKey && hasSlot(call, 'ARRI RAIL', 'DISC LADEN RAIL')
}

function indexesOf(calls: readonly Call[], isWanted: (call: Call) => boolean): readonly number[] {
  return calls.flatMap((call, index) => (isWanted(call) ? [index] : []))
}

export function findSlot(call: Call, key: string): Slot | null {
  return call.slots.find((slot) => slot.key === key) ?? null
}

export function hasSlot(call: Call, ...keys: readonly string[]): boolean {
  return call.slots.some(
    (slot) => keys.includes(slot.key) && (slot.actual !== null || slot.estimate !== null),
  )
}

export function actualOf(call: Call, key: string): Statement | null {
  return findSlot(call, key)?.actual ?? null
}

export function estimateOf(call: Call, key: string): Statement | null {
  return findSlot(call, key)?.estimate ?? null
}

function vesselAt(call: Call, key: string): string | null {
  const slot = findSlot(call, key)
  return (slot?.actual ?? slot?.estimate)?.vesselKey ?? null
}

/**
 * A ship that calls somewhere on its way with the box on board: nothing is handled there, and it is the same ship
 * that comes to a later port. Such a call is no transshipment.
 */
export function isPassedThrough(calls: readonly Call[], index: number): boolean {
  const call = calls[index]
  if (call === undefined || call.slots.some((slot) => /^(LOAD|DISC|GT)/.test(slot.key))) return false
  const arriving = vesselAt(call, 'ARRI VESSEL')
  const leaving = vesselAt(call, 'DEPA VESSEL')
  const vessel = arriving ?? leaving
  if (vessel === null || (arriving !== null && leaving !== null && arriving !== leaving)) return false
  if (arriving !== null && leaving !== null) return true
  return calls
    .slice(index + 1)
    .some(
      (later) => vesselAt(later, 'ARRI VESSEL') === vessel || vesselAt(later, 'DISC LADEN VESSEL') === vessel,
    )
}
