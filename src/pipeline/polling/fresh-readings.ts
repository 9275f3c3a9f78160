/**
 * The readings of answers that this process has just stored, until the tasks about them have used them: so the bytes of
 * an answer are read once. It is a shortcut only: any other reading is made from the stored bytes.
 */

import type { Service } from '../../modules/service.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import type { StoredReading } from '../ledger/read-stored-snapshot.ts'

/** Of the answers, as they came. Their readings need several times as much memory. */
const bytesMax = 8 * 1_048_576
/**
 * Tasks follow their answer at once. Readings for tasks that another process leased stay here, and must not pile up.
 */
const readingsMax = 100

interface FreshReading {
  readonly reading: StoredReading
  readonly bytes: number
  /** How many tasks have not used it yet. */
  readonly uses: number
}

/** By the id of the snapshot. */
const readingsOf = memoizePerOwner<Service['pool'], Map<string, FreshReading>>(() => new Map())

export function putFreshReading({ pool }: Service, id: string, fresh: FreshReading): void {
  const readings = readingsOf(pool)
  readings.set(id, fresh)
  let bytes = [...readings.values()].reduce((sum, each) => sum + each.bytes, 0)
  for (const [oldest, each] of readings) {
    if (bytes <= bytesMax && readings.size <= readingsMax) return
    readings.delete(oldest)
    bytes -= each.bytes
  }
}

export function useFreshReading({ pool }: Service, id: string): StoredReading | null {
  const readings = readingsOf(pool)
  const fresh = readings.get(id)
  if (fresh === undefined) return null
  if (fresh.uses > 1) readings.set(id, { ...fresh, uses: fresh.uses - 1 })
  else readings.delete(id)
  return fresh.reading
}
