/** What a shipment's journeys mean for its tracking: whether anything is left to track, and when to poll again. */

import type { PollFacts } from '../../domain/polling/schedule.ts'
import type { LifecycleRules } from '../../domain/tracking-requests/lifecycle-rules.ts'
import { findStopReason, type TrackingFacts } from '../../domain/tracking-requests/stop-tracking.ts'
import { compareInstants, instantOf } from '../../domain/values/time.ts'
import { firstFreeMidnight, isHeldThere } from '../../domain/view/free-time.ts'
import type { ContainerProjection, Leg, MilestoneName, ShipmentProjection } from '../../domain/view/projection.ts'

/** `lastUpdateAt`: when a source last stated something new. */
export function trackingFacts(shipment: ShipmentProjection, lastUpdateAt: string): TrackingFacts {
  const { containers } = shipment
  return {
    areAllTerminated: containers.length > 0 && containers.every((container) => container.isTerminated),
    isBookingCancelled: shipment.isBookingCancelled,
    arrivedAt: findLatestIfComplete(containers.map(findFinalArrival)),
    fullOutAt: findLatestIfComplete(containers.map((container) => milestoneAt(container, 'full_out'))),
    lastUpdateAt,
  }
}

/**
 * Whether nothing was left to track at that instant: the containers had come back, or a window of tracking had ended
 * since the last thing that happened or is expected. False when the journeys have no times, because then nobody knows.
 */
export function wasTrackingOver(shipment: ShipmentProjection, at: string, rules: LifecycleRules): boolean {
  const moments = shipment.containers.flatMap((container) => [
    ...container.milestones.map(({ time, place }) => instantOf(time, place.timeZone).at),
    ...[nextExpectedAt(container)].filter((expected) => expected !== null),
  ])
  const lastAt = findLatest(moments)
  if (lastAt === null) return false
  const facts = trackingFacts(shipment, lastAt)
  if (facts.areAllTerminated) return compareInstants(lastAt, at) <= 0
  return findStopReason(facts, { resumedAt: null, mutedReasons: [] }, rules, at) !== null
}

export function toPollFacts(container: Omit<ContainerProjection, 'milestones'>, lastChangeAt: string): PollFacts {
  return {
    status: container.status,
    isTerminated: container.isTerminated,
    nextExpectedAt: nextExpectedAt(container),
    arrivedAt: findFinalArrival(container),
    lastChangeAt,
    freeUntil: firstFreeMidnight(container),
    isHeld: isHeldThere(container),
  }
}

/** Where the voyage ends: the inland destination when there is one, else the port of discharge. */
function findFinalArrival(container: Pick<ContainerProjection, 'destination' | 'portOfDischarge'>): string | null {
  return ataOf(container.destination ?? container.portOfDischarge)
}

function nextExpectedAt(container: Omit<ContainerProjection, 'milestones'>): string | null {
  const legs = [container.portOfLoading, container.portOfDischarge, container.destination]
  for (const leg of legs) {
    if (leg === null || leg.place === null) continue
    const zone = leg.place.timeZone
    if (leg.ata === null && leg.eta !== null) return instantOf(leg.eta, zone).at
    if (leg.atd === null && leg.etd !== null && leg.ata === null) return instantOf(leg.etd, zone).at
  }
  return null
}

function ataOf(leg: Leg): string | null {
  return leg.ata === null ? null : instantOf(leg.ata, leg.place?.timeZone ?? null).at
}

function milestoneAt(container: ContainerProjection, name: MilestoneName): string | null {
  const found = container.milestones.findLast((milestone) => milestone.kind === 'actual' && milestone.name === name)
  return found === undefined ? null : instantOf(found.time, found.place.timeZone).at
}

/** The last of these instants, once all of them are known. */
function findLatestIfComplete(instants: readonly (string | null)[]): string | null {
  const there = instants.filter((at) => at !== null)
  return there.length < instants.length ? null : findLatest(there)
}

function findLatest(instants: readonly string[]): string | null {
  let last: string | null = null
  for (const at of instants) if (last === null || compareInstants(at, last) > 0) last = at
  return last
}
