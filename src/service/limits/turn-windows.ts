/**
 * The stores that count turns of a rolling minute: this process, the database, or Valkey. All count in the same way.
 */

import {
  countRecent,
  laterTurns,
  type RollingWindow,
  type Taken,
  takeTurns,
  windowMs,
} from '../../core/looking/rolling-window.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Pool } from '../../store/database.ts'
import { countInWindow, takeFromWindow } from '../../store/ground/rate-windows.ts'
import type { Bucket } from './buckets.ts'

export interface WindowOf {
  readonly accountId: string
  readonly bucket: Bucket
  /** Turns in 60 seconds, at least 1. */
  readonly limit: number
  readonly count: number
  /** Takes all turns or none; `count` must not be above the limit. */
  readonly isWhole?: boolean
}

export interface TurnWindows {
  readonly name: 'memory' | 'database' | 'valkey'
  readonly take: (of: WindowOf) => Promise<Taken>
  /** How many turns of the last 60 seconds are taken. Takes none. */
  readonly held: (of: Pick<WindowOf, 'accountId' | 'bucket'>) => Promise<number>
}

const keptMax = 10_000

/** Exact only within this process. */
export function memoryWindows(clock: Clock): TurnWindows {
  const windows = new Map<string, RollingWindow>()
  return {
    name: 'memory',
    take: async ({ accountId, bucket, ...of }) => {
      const key = `${accountId} ${bucket}`
      const nowMs = clock.now()
      let window = windows.get(key)
      if (window === undefined) {
        if (windows.size >= keptMax) dropOld(windows, nowMs)
        window = { accepted: [] }
        windows.set(key, window)
      }
      return takeTurns(window, { nowMs, ...of })
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
export function databaseWindows(pool: Pool, clock: Clock | null): TurnWindows {
  return {
    name: 'database',
    take: async (of) => {
      const { limit, count, isWhole = false } = of
      const { taken, agesMs } = await takeFromWindow(pool, { ...of, isWhole, nowMs: clock?.now() ?? null })
      return { taken, laterMs: laterTurns(agesMs, { limit, count: isWhole ? agesMs.length : count - taken }) }
    },
    held: (of) => countInWindow(pool, { ...of, nowMs: clock?.now() ?? null }),
  }
}
