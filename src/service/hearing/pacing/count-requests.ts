/** Counts each request that a question sends against the limits of its channel. One question may need many requests. */

import { setTimeout as pause } from 'node:timers/promises'
import {
  askLeave,
  giveBack,
  type RequestLimits,
  reachesCeiling,
  type Spending,
} from '../../../core/looking/request-budget.ts'
import { holdSpending, putSpending } from '../../../store/channels/channel-spending.ts'
import { afterCommit, inTransaction } from '../../../store/database.ts'
import type { Service } from '../../service.ts'

/**
 * Maximum time that one question waits for the limits in all, so that the worker with its lease does not wait for ever.
 */
const waitMsMax = 20_000

export const noLimits: RequestLimits = { rate: {}, ceiling: {} }

export interface Counted {
  /** Waits until one more request may go out. False when that would take too long. */
  readonly leave: (place?: 'source' | 'queue') => Promise<boolean>
  /**
   * Requests to reserve for the next such question. Twice as many as were sent, where the limits cut this question
   * short.
   */
  readonly needed: () => number
  /** Gives back the requests that were reserved and not sent. */
  readonly close: () => Promise<void>
}

/**
 * `taken`: requests that were reserved with the lease. A question that has begun may use all that the limits have saved
 * up, so that it comes to its end.
 */
export function countRequests(
  service: Service,
  of: {
    readonly channelId: string
    /** The code of the speaker. */
    readonly code: string
    readonly limits: RequestLimits
    readonly taken: number
  },
): Counted {
  const { channelId, code, limits, taken } = of
  let atSource = 0
  let waitedMs = 0
  let isCut = false

  const startedMs = service.clock.now()

  async function take(place: 'source' | 'queue'): Promise<number> {
    // Counts the time of waiting as passed, also when the clock stands still, as a test's clock does.
    const nowMs = Math.max(service.clock.now(), startedMs + waitedMs)
    return inTransaction(service.pool, async (db) => {
      const spending = await holdSpending(db, channelId)
      if (spending === null) return 0
      const leave = askLeave(spending, limits, { nowMs, requests: 1, urgency: 'new', place })
      if (leave.kind === 'wait') return leave.untilMs - nowMs
      await putSpending(db, channelId, leave.spending)
      const spent = { before: spending, after: leave.spending }
      afterCommit(db, () => tellCeiling(service, { channelId, code, limits, ...spent }))
      return 0
    })
  }

  return {
    leave: async (place = 'source') => {
      const isPaid = place === 'source' && atSource < taken
      for (let waitMs = isPaid ? 0 : await take(place); waitMs > 0; waitMs = await take(place)) {
        isCut = waitedMs + waitMs > waitMsMax
        if (isCut) return false
        waitedMs += waitMs
        await pause(waitMs)
      }
      if (place === 'source') atSource += 1
      return true
    },
    needed: () => (isCut ? Math.max(1, 2 * atSource) : atSource),
    close: async () => {
      if (atSource >= taken) return
      await inTransaction(service.pool, async (db) => {
        const spending = await holdSpending(db, channelId)
        if (spending === null) return
        await putSpending(db, channelId, giveBack(spending, taken - atSource, service.clock.now()))
      })
    },
  }
}

/** Reports, once, that a channel has used up its ceiling for a day or month. */
export function tellCeiling(
  { metrics, clock }: Pick<Service, 'metrics' | 'clock'>,
  of: {
    readonly channelId: string
    readonly code: string
    readonly limits: RequestLimits
    readonly before: Spending
    readonly after: Spending
  },
): void {
  const { channelId: channel, code, limits } = of
  if (!reachesCeiling(of, limits.ceiling, clock.now())) return
  metrics.ceilingReached({ code, channel, ...limits.ceiling, isSupposed: limits.isCeilingSupposed === true })
}
