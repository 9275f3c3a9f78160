/** Which estimates are published. An estimate that moves by minutes is not news: the last published one stays. */

import type { ObservedPlace } from '../statements/observation.ts'
import { mayBeSameVessel, placeKeyOf } from '../statements/statement.ts'
import { type EventTime, instantOf, localDateIn } from '../values/time.ts'
import type { Milestone } from '../view/projection.ts'
import type { ProjectionRules } from '../view/projection-rules.ts'

/** The estimates that count as published: each the one published before, unless the current one differs enough. */
export function selectPublishedEstimates(
  before: readonly Milestone[],
  now: readonly Milestone[],
  rules: ProjectionRules,
): readonly Milestone[] {
  return now.map((estimate) => {
    const published = before.find((other) => other.kind === 'estimated' && other.name === estimate.name)
    return published === undefined || isWorthPublishing(published, estimate, rules) ? estimate : published
  })
}

export function isWorthPublishing(published: Milestone, estimate: Milestone, rules: ProjectionRules): boolean {
  if (placeKeyOf(published.place) !== placeKeyOf(estimate.place)) return true
  if (!mayBeSameVessel(published.vessel, estimate.vessel)) return true
  return hasMoved(
    { time: published.time, place: published.place },
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
