/** How a second reading of kept snapshots differs from the readings before it. */

import type { SaidClaims } from '../../store/journey-state/state.ts'
import type { KeptClaim } from '../../store/journeys/claims.ts'
import type { ReadEntry } from '../../store/ledger/ledger.ts'
import { standingClaims } from './state-rows.ts'

export interface Reread {
  readonly snapshots: number
  readonly added: number
  readonly retired: number
}

export function sumOf(readings: readonly Reread[]): Reread {
  const sum = (count: (reading: Reread) => number) => readings.reduce((all, each) => all + count(each), 0)
  return {
    snapshots: sum(({ snapshots }) => snapshots),
    added: sum(({ added }) => added),
    retired: sum(({ retired }) => retired),
  }
}

/**
 * True when no other reader has read anything since the last second reading by this reader, or at all if there was
 * none.
 */
export function isReadBy(
  reader: string,
  entries: readonly Pick<ReadEntry, 'reader' | 'isReread'>[],
): boolean {
  const done = entries.findLastIndex((entry) => entry.isReread && entry.reader === reader)
  return entries.slice(done + 1).every((entry) => entry.reader === reader)
}

/**
 * Added claims keep the time at which they were first said, which gives them their place among the others. A claim that
 * only the last picture did not contain still stands here: the next picture decides.
 */
export function differenceOf(
  live: readonly KeptClaim[],
  said: SaidClaims,
): { readonly add: readonly KeptClaim[]; readonly retire: readonly string[] } {
  const standing = new Set(live.map(({ id }) => id))
  const now = standingClaims(said)
  const stands = new Set(now.map(({ id }) => id))
  return {
    add: now.filter(({ id }) => !standing.has(id)).map((claim) => ({ ...claim, missingSince: null })),
    retire: live.flatMap(({ id }) => (stands.has(id) ? [] : [id])),
  }
}
