/** Free time: until when a container may be picked up without a fee (last free day, LFD), and what that day means. */

import { addDays, compareInstants, type EventTime, localDateIn, localMidnight } from '../values/time.ts'
import type { FreeTime } from './projection.ts'

/** The LFD that counts: the line's, else the terminal's, else the railway's. A fixed order, not the earliest. */
export function pickupLfd(freeTime: FreeTime): EventTime | null {
  return freeTime.line ?? freeTime.terminal ?? freeTime.rail
}

export const freeTimeGivers = ['line', 'terminal', 'rail'] as const

/**
 * The LFD that ends first, and who gave it. Urgency depends on this LFD. The terminal's no longer counts once the
 * container has left the terminal by rail. Null when nobody has given one.
 */
export function earliestLfd(
  freeTime: FreeTime,
  { pickupTimeZone, isOnRail }: { readonly pickupTimeZone: string | null; readonly isOnRail: boolean },
): { readonly day: string; readonly by: (typeof freeTimeGivers)[number] } | null {
  const [first] = freeTimeGivers
    .flatMap((by) => {
      const lfd = by === 'terminal' && isOnRail ? null : freeTime[by]
      return lfd === null ? [] : [{ day: lfdDay(lfd, pickupTimeZone), by }]
    })
    .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
  return first ?? null
}

/**
 * The calendar day of an LFD at the place of pick-up. An instant falls on its day there; in UTC when the zone is
 * unknown.
 */
export function lfdDay(lfd: EventTime, pickupTimeZone: string | null): string {
  if (lfd.kind === 'day') return lfd.on
  if (lfd.kind === 'local') return lfd.local.slice(0, 10)
  return localDateIn(lfd.at, pickupTimeZone)
}

/** An LFD as the wire shows it: 00:00 of its day at the place of pick-up, in UTC. */
export function lfdInstant(lfd: EventTime, pickupTimeZone: string | null): string {
  return localMidnight(lfdDay(lfd, pickupTimeZone), pickupTimeZone)
}

/** Whether free time is over: an LFD holds until that day ends at the place of pick-up. */
export function isPastFreeTime(lfd: EventTime, pickupTimeZone: string | null, now: string): boolean {
  const ends = localMidnight(addDays(lfdDay(lfd, pickupTimeZone), 1), pickupTimeZone)
  return compareInstants(now, ends) >= 0
}
