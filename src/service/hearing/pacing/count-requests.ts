/** Every request of a question is counted against the limits of its channel, however many it takes. */

import { setTimeout as pause } from 'node:timers/promises'
import {
  askLeave,
  giveBack,
  type RequestLimits,
  reachesCeiling,
  type Spending,
} from '../../../core/request-budget.ts'
import { holdSpending, putSpending } from '../../../store/channel-spending.ts'
import { afterCommit, inTransaction } from '../../../store/database.ts'
import type { Service } from '../../service.ts'

/** All waits of one question together: whoever leased it does not wait for ever. */
const waitMsMax = 20_000

export const noLimits: RequestLimits = { rate: {}, ceiling: {} }

export interface Counted {
  /** Waits for its time; false when there is none soon enough. */
  readonly leave: (place?: 'source' | 'queue') => Promise<boolean>
  /** What it takes the next time: more, where it was not let go on. */
  readonly needed: () => number
  /** What was taken beforehand and not sent costs nothing. */
  readonly close: () => Promise<void>
}

/** `taken`: so many were taken with the lease. What a question has begun it may end, with all that is saved up. */
export function countRequests(
  service: Service,
  of: {
    readonly channelId: string
    /** Of the speaker. */
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
    // What was waited has passed, whatever clock it is.
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

/** Once, when what a channel may be sent in a day or month is spent. */
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
