/** Counts, while an answer is read, how many of its events are understood, lost or set aside, and why. */

import type { EventCounts } from '../domain/tracking-requests/event-counts.ts'

export interface EventTally {
  readonly understood: () => void
  /** The event was read, but its meaning or its place is unknown. */
  readonly partly: (why: string) => void
  readonly lost: (why: string) => void
  /** The event is not read on purpose. */
  readonly ignored: (count?: number) => void
  readonly counts: () => EventCounts
}

export function openTally(): EventTally {
  const unread = new Map<string, number>()
  const sums = { told: 0, aside: 0, understood: 0, lost: 0 }
  const noteWhy = (why: string): void => {
    sums.told += 1
    unread.set(why, (unread.get(why) ?? 0) + 1)
  }
  return {
    understood: () => {
      sums.told += 1
      sums.understood += 1
    },
    partly: noteWhy,
    lost: (why) => {
      noteWhy(why)
      sums.lost += 1
    },
    ignored: (count = 1) => {
      sums.told += count
      sums.aside += count
    },
    counts: () => ({ ...sums, unread: Object.fromEntries([...unread].sort()) }),
  }
}
