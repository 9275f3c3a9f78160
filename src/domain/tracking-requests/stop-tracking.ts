/** When there is nothing left to track: the reasons for which a shipment's tracking ends by itself, and when. */

import { addDays, compareInstants, laterOf } from '../values/time.ts'
import type { LifecycleRules } from './lifecycle-rules.ts'

export const stopReasons = [
  'all_containers_terminated',
  'past_arrival_window',
  'past_full_out_window',
  'no_updates_at_line',
  'cancelled_by_user',
  'booking_cancelled',
] as const
export type StopReason = (typeof stopReasons)[number]

/** The facts of a shipment's journeys that show whether there is anything left to track; ISO instants. */
export interface TrackingFacts {
  /** Every container went back empty and nothing contradicts it. */
  readonly areAllTerminated: boolean
  readonly isBookingCancelled: boolean
  /** When the last container arrived where the voyage ends; null while one is still to come. */
  readonly arrivedAt: string | null
  /** When the last container left full; null while one is still there. */
  readonly fullOutAt: string | null
  readonly lastUpdateAt: string
}

/**
 * What a resume changes: windows count from it, and stop reasons that were true then are muted until they are untrue
 * once.
 */
export interface Resumption {
  readonly resumedAt: string | null
  readonly mutedReasons: readonly StopReason[]
}

/** Why tracking should stop now; null while it continues. */
export function findStopReason(
  facts: TrackingFacts | null,
  { resumedAt, mutedReasons }: Resumption,
  rules: LifecycleRules,
  now: string,
): StopReason | null {
  if (facts === null) return null
  const held: StopReason | undefined = factualStopReasons(facts).find((reason) => !mutedReasons.includes(reason))
  if (held !== undefined) return held
  const window = firstWindow(facts, rules, resumedAt)
  return compareInstants(now, window.endsAt) >= 0 ? window.reason : null
}

/** The stop reasons that are facts, not windows of time. */
export function factualStopReasons(facts: TrackingFacts): readonly StopReason[] {
  const reasons: StopReason[] = []
  if (facts.areAllTerminated) reasons.push('all_containers_terminated')
  if (facts.isBookingCancelled) reasons.push('booking_cancelled')
  return reasons
}

export interface StopWindow {
  readonly reason: StopReason
  readonly endsAt: string
}

/**
 * The window that ends first. Once the containers are out, the window after arrival no longer counts, because otherwise
 * the one after full-out could never be reached. A resume starts every window again.
 */
export function firstWindow(facts: TrackingFacts, rules: LifecycleRules, resumedAt: string | null): StopWindow {
  const after = (at: string, days: number) => addDays(resumedAt === null ? at : laterOf(at, resumedAt), days)
  const quiet: StopWindow = {
    reason: 'no_updates_at_line',
    endsAt: after(facts.lastUpdateAt, rules.noUpdatesWindowDays),
  }
  const done: StopWindow | null =
    facts.fullOutAt !== null
      ? { reason: 'past_full_out_window', endsAt: after(facts.fullOutAt, rules.fullOutWindowDays) }
      : facts.arrivedAt !== null
        ? { reason: 'past_arrival_window', endsAt: after(facts.arrivedAt, rules.arrivalWindowDays) }
        : null
  return done !== null && compareInstants(done.endsAt, quiet.endsAt) <= 0 ? done : quiet
}

export function areSameFacts(a: TrackingFacts, b: TrackingFacts): boolean {
  return (
    a.areAllTerminated === b.areAllTerminated &&
    a.isBookingCancelled === b.isBookingCancelled &&
    a.arrivedAt === b.arrivedAt &&
    a.fullOutAt === b.fullOutAt &&
    a.lastUpdateAt === b.lastUpdateAt
  )
}
