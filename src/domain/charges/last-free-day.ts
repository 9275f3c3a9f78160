/** The last free day by the terms: when free time is used up, whether the container is still there or not. */

import { dayAfter } from './calendar.ts'
import { boundsOf, type Clock, createDayDecider, type DayDecider } from './clock.ts'

/** How far the search for the last free day goes. */
const searchDaysMax = 2_000

export interface LastFreeDay {
  readonly day: string
  /** When free time ends within that day; null when the whole day is free. */
  readonly until: string | null
}

/**
 * The day on which free time is used up, whether the container is still there or not. Null when there is no free time,
 * and while the clock is stopped without a known end.
 */
export function lastFreeDayOf(clock: Clock): LastFreeDay | null {
  const endless = clock.standstills.filter(({ toMs }) => toMs === null).map(({ fromMs }) => fromMs)
  const stillFromMs = endless.length === 0 ? Infinity : Math.min(...endless)
  const days = createDayDecider({ ...clock, stop: null })
  let last: LastFreeDay | null = null
  let day = clock.firstDay
  for (let step = 0; step < searchDaysMax; step += 1) {
    const { outcome, reason } = days.next(day)
    if (outcome === 'charged') return clock.terms.freeUnit === 'hours' ? (hoursEnd(clock, day, days) ?? last) : last
    if (outcome === 'free') last = { day, until: null }
    if (reason.kind === 'free_day' && reason.number === reason.of) return last
    const isStill = reason.kind === 'hold' || reason.kind === 'not_available'
    if (isStill && boundsOf(day, clock.zone).fromMs >= stillFromMs) return null
    day = dayAfter(day)
  }
  return null
}

/** Hours that end within the first charged day. */
function hoursEnd({ terms, zone }: Clock, day: string, days: DayDecider): LastFreeDay | null {
  const endMs = days.freeUntilMs()
  return terms.free > 0 && endMs > boundsOf(day, zone).fromMs ? { day, until: new Date(endMs).toISOString() } : null
}
