/**
 * What is stored when an attempt has ended: its log, the next state of the notification, and what it means for the
 * webhook.
 */

import { uuidV7 } from '../../../platform/ids.ts'
import { together } from '../../../platform/together.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import { finishAttempts, keepBodies, releaseNextInLanes } from '../../../store/telling/webhook-attempts.ts'
import {
  failQueued,
  type Lane,
  type LeasedNotification,
  lockWaitingLanes,
} from '../../../store/telling/webhook-notifications.ts'
import { disableWebhook, markFailing } from '../../../store/telling/webhooks.ts'
import type { Service } from '../../service.ts'
import type { DeliveryOutcome } from './delivery-outcome.ts'
import { findRetryGapMs } from './retry-schedule.ts'
import { tellDisabled } from './tell-disabled.ts'

const failingDaysMax = 5
const dayMs = 86_400_000

export interface EndedAttempt {
  readonly notification: LeasedNotification
  readonly token: string
  readonly outcome: DeliveryOutcome
  readonly startedAt: string
  /** The fault is on our side and says nothing about the receiver. */
  readonly isOurs: boolean
  /** From 0 to 1, for the jitter of the next attempt. */
  readonly random: number
}

/**
 * Where a process records its attempts. Attempts that end while one transaction runs are written together in the next.
 */
export interface AttemptBook {
  /** Called before the first attempt; false when the lease was lost. */
  readonly keepBody: (held: Parameters<typeof keepBodies>[1][number]) => Promise<boolean>
  readonly record: (ended: EndedAttempt) => Promise<void>
}

export function openAttemptBook(service: Service): AttemptBook {
  const write = together((ended: readonly EndedAttempt[]) => writeAttempts(service, ended))
  return {
    keepBody: together((bodies) => keepBodies(service.pool, bodies)),
    record: async (ended) => report(service, ended, await write(ended)),
  }
}

interface Written {
  readonly isGivenUp: boolean
  /** Why the webhook was switched off because of this attempt; null when it was not. */
  readonly reason: string | null
}

/** One transaction; it locks webhooks before lanes and lanes before notifications, each in order, as the sequencer does. */
async function writeAttempts(service: Service, ended: readonly EndedAttempt[]): Promise<readonly Written[]> {
  const nowMs = service.clock.now()
  const now = new Date(nowMs).toISOString()
  return inTransaction(service.pool, async (db) => {
    const reasons = await judgeWebhooks(db, ended, nowMs)
    const rows = ended.map((each) => endOf(each, reasons.get(each) ?? null, nowMs))
    const first = ended.filter(({ notification }) => notification.attempts === 0)
    if (first.length > 1) await lockWaitingLanes(db, lanesOf(first))
    const held = await finishAttempts(db, rows)
    const left = lanesOf(ended.filter((each, place) => held[place] && first.includes(each)))
    if (left.length > 0) await releaseNextInLanes(db, left, now)
    for (const [{ notification }, reason] of reasons) {
      await failQueued(db, { accountId: notification.accountId, id: notification.webhookId, now })
      await tellDisabled(db, service, { ...notification, reason })
    }
    return ended.map((each, place) => ({
      isGivenUp: held[place] === true && rows[place]?.status === 'failed',
      reason: reasons.get(each) ?? null,
    }))
  })
}

/** The new state of the notification, and the line of its log. */
function endOf(
  { notification, token, outcome, startedAt, random }: EndedAttempt,
  reason: string | null,
  nowMs: number,
): Parameters<typeof finishAttempts>[1][number] {
  const attempt = notification.attempts + 1
  const gapMs =
    outcome.kind === 'failed' && reason === null
      ? findRetryGapMs({
          attempts: attempt - notification.scheduleFrom,
          random,
          retryAfterMs: outcome.retryAfterMs,
        })
      : null
  const nextAttemptAt = gapMs === null ? null : new Date(nowMs + gapMs).toISOString()
  return {
    accountId: notification.accountId,
    id: notification.id,
    madeAt: notification.madeAt,
    token,
    status: outcome.kind === 'succeeded' ? 'succeeded' : nextAttemptAt === null ? 'failed' : 'pending',
    log: {
      id: uuidV7(nowMs),
      attempt,
      statusCode: outcome.statusCode,
      error: outcome.error,
      address: outcome.address,
      durationMs: outcome.durationMs,
      responseBody: outcome.responseBody,
      createdAt: startedAt,
      nextAttemptAt,
    },
  }
}

function lanesOf(ended: readonly EndedAttempt[]): readonly Lane[] {
  const lanes = ended.map(({ notification }) => notification)
  return [...new Map(lanes.map((lane) => [`${lane.webhookId} ${lane.laneId}`, lane])).values()]
}

function report(service: Service, { notification, outcome }: EndedAttempt, written: Written): void {
  const { accountId, id, webhookId } = notification
  const ids = { accountId, webhookId, notificationId: id }
  service.metrics.deliveryAttempted({
    outcome: outcome.kind,
    ...ids,
    name: notification.event,
    attempt: notification.attempts + 1,
    statusCode: outcome.statusCode,
    error: outcome.error,
    durationMs: outcome.durationMs,
  })
  if (written.isGivenUp) service.metrics.deliveryGivenUp(ids)
  if (written.reason !== null) {
    service.metrics.webhookDisabled({ accountId, webhookId, reason: written.reason })
  }
}

/** For each attempt that switched its webhook off, the reason. Webhooks are locked in the order of their ids. */
async function judgeWebhooks(
  db: Db,
  ended: readonly EndedAttempt[],
  nowMs: number,
): Promise<ReadonlyMap<EndedAttempt, string>> {
  const reasons = new Map<EndedAttempt, string>()
  const inOrder = ended.toSorted((a, b) => webhookKey(a).localeCompare(webhookKey(b)))
  for (const each of inOrder) {
    if (each.isOurs) continue
    const reason = await judgeWebhook(db, each.notification, each.outcome, nowMs)
    if (reason !== null) reasons.set(each, reason)
  }
  return reasons
}

function webhookKey({ notification }: EndedAttempt): string {
  return `${notification.accountId} ${notification.webhookId}`
}

/** What the outcome means for the webhook as a whole. Returns the reason when the webhook was switched off. */
async function judgeWebhook(
  db: Db,
  { accountId, webhookId, failingSince }: LeasedNotification,
  outcome: DeliveryOutcome,
  nowMs: number,
): Promise<string | null> {
  const webhook = { accountId, id: webhookId }
  const now = new Date(nowMs).toISOString()
  if (outcome.kind === 'succeeded') {
    if (failingSince !== null) await markFailing(db, { ...webhook, since: null })
    return null
  }
  if (outcome.kind === 'gone') {
    const reason = 'The receiver answered 410 Gone.'
    return (await disableWebhook(db, { ...webhook, reason, now, failingSince: null })) ? reason : null
  }
  if (failingSince === null) {
    await markFailing(db, { ...webhook, since: now })
    return null
  }
  const cutoffMs = nowMs - failingDaysMax * dayMs
  if (Date.parse(failingSince) > cutoffMs) return null
  const reason = `Nothing but failures for ${failingDaysMax} days.`
  const failingCutoff = new Date(cutoffMs).toISOString()
  return (await disableWebhook(db, { ...webhook, reason, now, failingSince: failingCutoff })) ? reason : null
}
