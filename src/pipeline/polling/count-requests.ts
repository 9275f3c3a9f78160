/** Counts each request that a poll sends against the limits of its channel. One poll may need many requests. */

import { setTimeout as pause } from 'node:timers/promises'
import { afterCommit, inTransaction } from '../../db/database.ts'
import {
  exhaustsQuota,
  type RequestLimits,
  type RequestUsage,
  requestPermit,
  returnUnsentRequests,
} from '../../domain/polling/request-budget.ts'
import type { Service } from '../../modules/service.ts'
import { lockUsage, putUsage } from './channel-usage-sql.ts'

/**
 * Maximum time that one poll waits for the limits in total, so that the worker with its lease does not wait for ever.
 */
const waitMsMax = 20_000

export const noLimits: RequestLimits = { rate: {}, quota: {} }

export interface RequestCounter {
  /** Waits until one more request may go out. False when that would take too long. */
  readonly requestPermit: (place?: 'source' | 'queue') => Promise<boolean>
  /** Requests to reserve for the next such poll. Twice as many as were sent, where the limits cut this poll short. */
  readonly needed: () => number
  /** Gives back the requests that were reserved and not sent. */
  readonly close: () => Promise<void>
}

/**
 * `reserved`: requests that were reserved with the lease. A poll that has begun may use all that the limits have saved
 * up, so that it can finish.
 */
export function countRequests(
  service: Service,
  of: {
    readonly channelId: string
    /** The code of the speaker. */
    readonly code: string
    readonly limits: RequestLimits
    readonly reserved: number
  },
): RequestCounter {
  const { channelId, code, limits, reserved } = of
  let atSource = 0
  let waitedMs = 0
  let isCut = false

  const startedMs = service.clock.now()

  async function reserveRequest(place: 'source' | 'queue'): Promise<number> {
    // Counts the time of waiting as passed, also when the clock does not move, as in a test.
    const nowMs = Math.max(service.clock.now(), startedMs + waitedMs)
    return inTransaction(service.pool, async (db) => {
      const usage = await lockUsage(db, channelId)
      if (usage === null) return 0
      const permit = requestPermit(usage, limits, { nowMs, requests: 1, urgency: 'new', place })
      if (permit.kind === 'wait') return permit.untilMs - nowMs
      await putUsage(db, channelId, permit.usage)
      const usageChange = { before: usage, after: permit.usage }
      afterCommit(db, () => reportQuotaReached(service, { channelId, code, limits, ...usageChange }))
      return 0
    })
  }

  return {
    requestPermit: async (place = 'source') => {
      const isPaid = place === 'source' && atSource < reserved
      for (let waitMs = isPaid ? 0 : await reserveRequest(place); waitMs > 0; waitMs = await reserveRequest(place)) {
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
      if (atSource >= reserved) return
      await inTransaction(service.pool, async (db) => {
        const usage = await lockUsage(db, channelId)
        if (usage === null) return
        await putUsage(db, channelId, returnUnsentRequests(usage, reserved - atSource, service.clock.now()))
      })
    },
  }
}

/** Reports, once, that a channel has used up its quota for a day or month. */
export function reportQuotaReached(
  { metrics, clock }: Pick<Service, 'metrics' | 'clock'>,
  of: {
    readonly channelId: string
    readonly code: string
    readonly limits: RequestLimits
    readonly before: RequestUsage
    readonly after: RequestUsage
  },
): void {
  const { channelId: channel, code, limits } = of
  if (!exhaustsQuota(of, limits.quota, clock.now())) return
  metrics.ceilingReached({ code, channel, ...limits.quota, isSupposed: limits.isQuotaDefault === true })
}
