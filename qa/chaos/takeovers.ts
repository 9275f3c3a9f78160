/** How long the living take to take over from each process that is killed. */

import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from '../../src/db/database.ts'
import type { Report } from '../kill/checks.ts'

/** What docs/operating.md promises of a process that is killed. */
const limitMs = 5_000
/** Three database servers on the same machine leave the processes too little of it. */
const limitDividedMs = 15_000
const patienceMs = 30_000

export interface Takeovers {
  /** Called at the kill. Waits until the leases are given back, by a living process and not by the next one. */
  readonly await: (pid: number) => Promise<void>
  readonly report: () => Report
}

export function openTakeovers(pool: Pool, isDivided: boolean): Takeovers {
  const longestMs = isDivided ? limitDividedMs : limitMs
  const tookMs: number[] = []
  const isThere = async (pid: number): Promise<boolean> =>
    (await pool.query('select from workers where pid = $1', [pid])).rowCount !== 0
  return {
    await: async (pid) => {
      const killedAtMs = Date.now()
      // One that was killed while it started may have taken nothing.
      if (!(await isThere(pid))) return
      while ((await isThere(pid)) && Date.now() - killedAtMs < patienceMs) await pause(100)
      tookMs.push(Date.now() - killedAtMs)
    },
    report: () => {
      const sorted = tookMs.toSorted((a, b) => a - b)
      const seconds = (ms = 0): string => (ms / 1_000).toFixed(1)
      return {
        says: `Leases of ${sorted.length} killed processes were given back after ${seconds(sorted[Math.floor(sorted.length / 2)])} s (median), ${seconds(sorted.at(-1))} s at most.`,
        problems: [
          ...(sorted.length === 0 ? ['No takeover was seen'] : []),
          ...sorted
            .filter((ms) => ms > longestMs)
            .map((ms) => `one took ${seconds(ms)} s, more than ${seconds(longestMs)} s`),
        ],
      }
    },
  }
}
