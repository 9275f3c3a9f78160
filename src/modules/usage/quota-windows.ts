/**
 * The stores that count slots of a rolling minute: this process, the database, or Valkey. All count in the same way.
 */

import type { Pool } from '../../db/database.ts'
import { consumeQuota, countInWindow } from '../../db/rate-windows.ts'
import {
  type AcquiredSlots,
  acquireQuotaSlots,
  countRecent,
  laterQuotaSlots,
  type RollingWindow,
  windowMs,
} from '../../domain/polling/rolling-window.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Bucket } from './buckets.ts'

export interface SlotRequest {
  readonly accountId: string
  readonly bucket: Bucket
  /** Slots in 60 seconds, at least 1. */
  readonly limit: number
  readonly count: number
  /** Uses all slots or none; `count` must not be above the limit. */
  readonly isWhole?: boolean
}

export interface QuotaWindows {
  readonly name: 'memory' | 'database' | 'valkey'
  readonly take: (of: SlotRequest) => Promise<AcquiredSlots>
  /** How many slots of the last 60 seconds are used. Uses none. */
  readonly held: (of: Pick<SlotRequest, 'accountId' | 'bucket'>) => Promise<number>
}

const windowsMax = 10_000

/** Exact only within this process. */
export function memoryWindows(clock: Clock): QuotaWindows {
  const windows = new Map<string, RollingWindow>()
  return {
    name: 'memory',
    take: async ({ accountId, bucket, ...of }) => {
      const key = `${accountId} ${bucket}`
      const nowMs = clock.now()
      let window = windows.get(key)
      if (window === undefined) {
        if (windows.size >= windowsMax) dropOld(windows, nowMs)
        window = { accepted: [] }
        windows.set(key, window)
      }
      return acquireQuotaSlots(window, { nowMs, ...of })
    },
    held: async ({ accountId, bucket }) =>
      countRecent(windows.get(`${accountId} ${bucket}`)?.accepted ?? [], clock.now(), windowMs),
  }
}

function dropOld(windows: Map<string, RollingWindow>, nowMs: number): void {
  for (const [key, { accepted }] of windows) {
    if ((accepted.at(-1) ?? 0) <= nowMs - windowMs) windows.delete(key)
  }
}

/** Exact across all processes that use the database. `clock`: for tests; null for the database's own clock. */
export function databaseWindows(pool: Pool, clock: Clock | null): QuotaWindows {
  return {
    name: 'database',
    take: async (of) => {
      const { limit, count, isWhole = false } = of
      const { granted: acquired, agesMs } = await consumeQuota(pool, {
        ...of,
        isWhole,
        nowMs: clock?.now() ?? null,
      })
      return {
        acquired,
        laterMs: laterQuotaSlots(agesMs, { limit, count: isWhole ? agesMs.length : count - acquired }),
      }
    },
    held: (of) => countInWindow(pool, { ...of, nowMs: clock?.now() ?? null }),
  }
}
