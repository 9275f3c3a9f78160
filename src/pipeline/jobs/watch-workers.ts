/** Who of the others is dead, as one process sees it by its own clock. Clocks of other machines are not compared. */

import type { Worker } from '../../db/workers.ts'
import type { WhyDead } from './release-leases.ts'

/** After a restart of the database each process needs a moment to connect again. */
const disconnectedMs = 2_000
/** Three heartbeats, so a process that is slow keeps its leases. */
const silentMs = 15_000
/** After a longer pause between two checks, this process or the database itself had stopped, and it begins anew. */
const gapMsMax = 4_000

interface SeenWorker {
  readonly heartbeatAt: string
  readonly beatMs: number
  /** Since when it is seen without its session; null while it has one. */
  readonly disconnectedSinceMs: number | null
}

export interface WorkerWatch {
  /** `queriedMs` and `nowMs`: before and after the workers were read, in milliseconds of one steady clock. */
  readonly check: (
    workers: readonly Worker[],
    at: { readonly queriedMs: number; readonly nowMs: number },
  ) => readonly { readonly worker: Worker; readonly why: WhyDead }[]
}

export function openWorkerWatch(ownNumber: number): WorkerWatch {
  let seen = new Map<number, SeenWorker>()
  let lastMs = Number.NEGATIVE_INFINITY
  return {
    check: (workers, { queriedMs, nowMs }) => {
      if (nowMs - lastMs > gapMsMax) seen = new Map()
      lastMs = nowMs
      const others = workers.filter(({ id }) => id !== ownNumber)
      seen = new Map(others.map((worker) => [worker.id, updateSeenWorker(worker, seen.get(worker.id), nowMs)]))
      return others.flatMap((worker) => {
        const why = whyDead(seen.get(worker.id), queriedMs)
        return why === null ? [] : [{ worker, why }]
      })
    },
  }
}

function updateSeenWorker(
  { heartbeatAt, isConnected }: Worker,
  before: SeenWorker | undefined,
  nowMs: number,
): SeenWorker {
  return {
    heartbeatAt,
    beatMs: before?.heartbeatAt === heartbeatAt ? before.beatMs : nowMs,
    disconnectedSinceMs: isConnected ? null : (before?.disconnectedSinceMs ?? nowMs),
  }
}

function whyDead(seen: SeenWorker | undefined, nowMs: number): WhyDead | null {
  if (seen === undefined) return null
  if (seen.disconnectedSinceMs !== null && nowMs - seen.disconnectedSinceMs >= disconnectedMs) return 'gone'
  return nowMs - seen.beatMs >= silentMs ? 'silent' : null
}
