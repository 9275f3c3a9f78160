/**
 * How near the last free day is, counted in days of the place of pick-up; and when nothing may be stated about it,
 * because the data is old, was never polled, or is no longer polled.
 */

import { localDateIn, msBetween } from '../values/time.ts'
import { countDays } from './day-count.ts'
import type { FreeDay } from './free-time.ts'

export const urgencies = ['none', 'ok', 'soon', 'today', 'overdue'] as const

export type Urgency =
  | { readonly kind: 'none'; readonly why: 'picked_up' | 'no_last_free_day' }
  | { readonly kind: 'doubtful'; readonly doubt: Doubt }
  | ({ readonly kind: Exclude<(typeof urgencies)[number], 'none'>; readonly days: number } & FreeDay)

/** Why the statements of the sources may not hold any more. */
export type Doubt =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'never_answered' }
  | { readonly kind: 'old'; readonly days: number }

export interface PollStatus {
  readonly lastSucceededAt: string | null
  readonly trackingStoppedAt: string | null
}

const dayMs = 86_400_000
/** A statement of a source that is older than this may have changed. */
export const staleAfterDays = 7
const soonDays = 2

export function urgencyOf(of: {
  readonly isPickedUp: boolean
  readonly first: FreeDay | null
  readonly pickupTimeZone: string | null
  readonly pollStatus: PollStatus
  readonly now: string
}): Urgency {
  const { first, now } = of
  if (of.isPickedUp) return { kind: 'none', why: 'picked_up' }
  if (first === null) return { kind: 'none', why: 'no_last_free_day' }
  const doubt = doubtAbout(of.pollStatus, now)
  if (doubt !== null) return { kind: 'doubtful', doubt }
  const days = countDays(localDateIn(now, of.pickupTimeZone), first.on)
  const kind = days < 0 ? 'overdue' : days === 0 ? 'today' : days <= soonDays ? 'soon' : 'ok'
  return { kind, days, ...first }
}

/** Null where the last statement still counts. */
export function doubtAbout({ lastSucceededAt, trackingStoppedAt }: PollStatus, now: string): Doubt | null {
  if (trackingStoppedAt !== null) return { kind: 'stopped' }
  if (lastSucceededAt === null) return { kind: 'never_answered' }
  const days = Math.floor(msBetween({ from: lastSucceededAt, to: now }) / dayMs)
  return days <= staleAfterDays ? null : { kind: 'old', days }
}
