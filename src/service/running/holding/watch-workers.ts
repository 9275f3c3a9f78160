/** Who of the others is dead, as one process sees it by its own clock. Clocks of other machines are not compared. */

import type { Worker } from '../../../store/ground/workers.ts'
import type { WhyDead } from '../setup/release-leases.ts'

/** After a restart of the database each process needs a moment to connect again. */
const goneMs = 2_000
/** Three heartbeats, so a process that is slow keeps its leases. */
const silentMs = 15_000
/** After a longer pause between two looks, this process or the database stood still itself, and it begins anew. */
const gapMsMax = 4_000

interface Seen {
  readonly heartbeatAt: string
  readonly beatMs: number
  /** Since when it is seen without its session; null while it has one. */
  readonly goneSinceMs: number | null
}

export interface Watch {
  /** `askedMs` and `nowMs`: before and after the workers were read, in milliseconds of one steady clock. */
  readonly look: (
    workers: readonly Worker[],
    at: { readonly askedMs: number; readonly nowMs: number },
  ) => readonly { readonly worker: Worker; readonly why: WhyDead }[]
}

export function openWatch(own: number): Watch {
  let seen = new Map<number, Seen>()
  let lastMs = Number.NEGATIVE_INFINITY
  return {
    look: (workers, { askedMs, nowMs }) => {
      if (nowMs - lastMs > gapMsMax) seen = new Map()
      lastMs = nowMs
      const others = workers.filter(({ id }) => id !== own)
      seen = new Map(others.map((worker) => [worker.id, seeOne(worker, seen.get(worker.id), nowMs)]))
      return others.flatMap((worker) => {
        const why = whyDead(seen.get(worker.id), askedMs)
        return why === null ? [] : [{ worker, why }]
      })
    },
  }
}

function seeOne({ heartbeatAt, isConnected }: Worker, before: Seen | undefined, nowMs: number): Seen {
  return {
    heartbeatAt,
    beatMs: before?.heartbeatAt === heartbeatAt ? before.beatMs : nowMs,
    goneSinceMs: isConnected ? null : (before?.goneSinceMs ?? nowMs),
  }
}

function whyDead(seen: Seen | undefined, nowMs: number): WhyDead | null {
  if (seen === undefined) return null
  if (seen.goneSinceMs !== null && nowMs - seen.goneSinceMs >= goneMs) return 'gone'
  return nowMs - seen.beatMs >= silentMs ? 'silent' : null
}
