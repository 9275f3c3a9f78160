/** How a second reading of stored snapshots differs from the readings before it. */

import type { StoredClaim } from '../projection/claims-sql.ts'
import type { ClaimsById } from '../projection/journey-state-sql.ts'
import type { ReadingEntry } from './ledger-sql.ts'
import { findActiveClaims } from './state-rows.ts'

export interface RereadCounts {
  readonly snapshots: number
  readonly added: number
  readonly retired: number
}

export function sumRereads(readings: readonly RereadCounts[]): RereadCounts {
  const sum = (count: (reading: RereadCounts) => number) => readings.reduce((all, each) => all + count(each), 0)
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
export function isLastReader(reader: string, entries: readonly Pick<ReadingEntry, 'reader' | 'isReread'>[]): boolean {
  const done = entries.findLastIndex((entry) => entry.isReread && entry.reader === reader)
  return entries.slice(done + 1).every((entry) => entry.reader === reader)
}

/**
 * Added claims keep the time at which they were first stated, which determines their place among the others. A claim
 * that only the last full picture did not contain is still active here: the next one decides.
 */
export function diffClaims(
  live: readonly StoredClaim[],
  statedClaims: ClaimsById,
): { readonly add: readonly StoredClaim[]; readonly retire: readonly string[] } {
  const liveIds = new Set(live.map(({ id }) => id))
  const now = findActiveClaims(statedClaims)
  const activeIds = new Set(now.map(({ id }) => id))
  return {
    add: now.filter(({ id }) => !liveIds.has(id)).map((claim) => ({ ...claim, missingSince: null })),
    retire: live.flatMap(({ id }) => (activeIds.has(id) ? [] : [id])),
  }
}
