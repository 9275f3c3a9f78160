/** Which estimates are announced. An estimate that moves by minutes is not news: the last announced one stays. */

import type { Milestone } from '../shown/projection.ts'
import type { ProjectionRules } from '../shown/projection-rules.ts'
import type { ObservedPlace } from '../statements/observation.ts'
import { mayBeSameVessel, placeKeyOf } from '../statements/statement.ts'
import { type EventTime, instantOf, localDateIn } from '../values/time.ts'

/** The estimates that count as announced: each the one announced before, unless what is known now differs enough. */
export function announceEstimates(
  before: readonly Milestone[],
  now: readonly Milestone[],
  rules: ProjectionRules,
): readonly Milestone[] {
  return now.map((estimate) => {
    const told = before.find((other) => other.kind === 'estimated' && other.name === estimate.name)
    return told === undefined || isNews(told, estimate, rules) ? estimate : told
  })
}

export function isNews(told: Milestone, estimate: Milestone, rules: ProjectionRules): boolean {
  if (placeKeyOf(told.place) !== placeKeyOf(estimate.place)) return true
  if (!mayBeSameVessel(told.vessel, estimate.vessel)) return true
  return hasMoved(
    { time: told.time, place: told.place },
    { time: estimate.time, place: estimate.place },
    rules.estimateThresholdMs,
  )
}

interface TimeAtPlace {
  readonly time: EventTime
  readonly place: ObservedPlace
}

/**
 * Whether the time moved by the threshold or more. When one of the two is only a day: whether it moved to another day.
 */
function hasMoved(a: TimeAtPlace, b: TimeAtPlace, thresholdMs: number): boolean {
  if (a.time.kind === 'day' || b.time.kind === 'day') return localDayOf(a) !== localDayOf(b)
  return Math.abs(msOf(a) - msOf(b)) >= thresholdMs
}

function msOf({ time, place }: TimeAtPlace): number {
  return Date.parse(instantOf(time, place.timeZone).at)
}

function localDayOf({ time, place }: TimeAtPlace): string {
  if (time.kind === 'day') return time.on
  return time.kind === 'local' ? time.local.slice(0, 10) : localDateIn(time.at, place.timeZone)
}
