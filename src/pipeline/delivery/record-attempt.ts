/**
 * What is stored when an attempt has ended: its log, the next state of the notification, and what it means for the
 * webhook.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { type Db, inTransaction } from '../../db/database.ts'
import { ofEachAccount } from '../../db/distributed/acquire-per-account.ts'
import type { Service } from '../../modules/service.ts'
import type { DeliveryOutcome } from '../../modules/webhooks/delivery-outcome.ts'
import { findRetryGapMs } from '../../modules/webhooks/retry-schedule.ts'
import { disableWebhook, markFailing } from '../../modules/webhooks/webhooks-sql.ts'
import { batchCalls } from '../../platform/batch-calls.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type LeasedNotification, leaseNextInLanes, type WebhookKey } from './due-notifications-sql.ts'
import { type Lease, type LeasedDelivery, toLeasedDelivery } from './leases.ts'
import { notifyDisabled } from './notify-disabled.ts'
import { finishAttempts, releaseNextInLanes } from './webhook-attempts-sql.ts'
import { failQueued, type Lane, lockWaitingLanes } from './webhook-notifications-sql.ts'

const failingDaysMax = 5
const dayMs = 86_400_000

export interface EndedAttempt {
  readonly notification: LeasedNotification
  readonly token: string
  readonly outcome: DeliveryOutcome
  readonly startedAt: string
  /** The fault is on our side and shows nothing about the receiver. */
  readonly isOurs: boolean
  /** From 0 to 1, for the jitter of the next attempt. */
  readonly random: number
  readonly followed: number
  /** For the next notification of its lane, which is attempted at once. Null: it is only made due. */
  readonly next: Lease | null
}

/** Records an attempt. Attempts that end while one transaction runs are written together in the next. */
export type RecordAttempt = (ended: EndedAttempt) => Promise<void>

interface RecorderCallbacks {
  /** The end of an attempt has made another notification of the webhook due. */
  readonly released: (webhook: WebhookKey) => void
  /** It has leased the next one of its lane, which is to be attempted now. */
  readonly leased: (next: LeasedDelivery) => void
}

/** With the id of its log, which is the same however often it is written. */
type LoggedAttempt = EndedAttempt & { readonly logId: string }

/** `released`: called when the end of an attempt has made another notification of the webhook due. */
export function openRecorder(service: Service, callbacks: RecorderCallbacks): RecordAttempt {
  const write = batchCalls((ended: readonly LoggedAttempt[]) => writeAttempts(service, ended))
  return async (ended) => {
    const logged = { ...ended, logId: uuidV7(service.clock.now()) }
    const written = await persistWithRetry(service, logged, () => write(logged))
    reportAttempt(service, ended, written)
    if (written.hasReleased) callbacks.released(ended.notification)
    if (written.next !== null) callbacks.leased(written.next)
  }
}

/** Together less than `leaseMarginMs` of `start-deliveries.ts`: after the lease, others send it again. */
const recordAgainAfterMs = [250, 1_000, 3_000, 8_000, 14_000]

/**
 * Tries again while the lease lasts, because the receiver has it already: an attempt that cannot be recorded is sent a
 * second time. A record whose confirmation was lost is not made twice: it ended the lease, and its log has its id.
 */
async function persistWithRetry<T>(
  service: Service,
  { notification }: EndedAttempt,
  work: () => Promise<T>,
): Promise<T> {
  const { accountId, id, webhookId } = notification
  for (const afterMs of recordAgainAfterMs) {
    try {
      return await work()
    } catch (error) {
      service.metrics.deliveryNotRecorded({ accountId, webhookId, notificationId: id, error })
      await pause(afterMs)
    }
  }
  return work()
}

interface AttemptEffects {
  readonly isGivenUp: boolean
  /** Another notification of the webhook is due now. */
  readonly hasReleased: boolean
  /** The next notification of the lane, which was leased. */
  readonly next: LeasedDelivery | null
  /** Why the webhook was switched off because of this attempt; null when it was not. */
  readonly reason: string | null
}

/**
 * One transaction. It locks webhooks before lanes and lanes before notifications, each in order, as the sequencer does.
 * Each statement that writes is about one account.
 */
async function writeAttempts(service: Service, ended: readonly LoggedAttempt[]): Promise<readonly AttemptEffects[]> {
  const nowMs = service.clock.now()
  const now = new Date(nowMs).toISOString()
  const work = async (db: Db): Promise<readonly AttemptEffects[]> => {
    const reasons = await judgeWebhooks(db, ended, nowMs)
    const ends = ended.map((each) => {
      const reason = reasons.get(each) ?? null
      return { accountId: each.notification.accountId, each, reason, row: toAttemptEnd(each, reason, nowMs) }
    })
    const released = new Set<string>()
    /** By the token of the lease. */
    const leased = new Map<string, LeasedNotification>()
    const held = await ofEachAccount(ends, async (accountId, ofAccount) => {
      const first = ofAccount.filter(isFirst)
      const lanes = lanesOf(first)
      const followed = first.flatMap(({ each: { notification, next } }) =>
        next === null ? [] : [{ ...notification, ...next }],
      )
      const left = lanesOf(first.filter(({ each }) => each.next === null))
      const rows = ofAccount.map(({ row }) => row)
      // None needs the result of another. Where another worker's attempt decides, it makes the next notification of the
      // lane due, and this finds none. A waiting notification of one lane is made due after the ended ones of the other
      // lanes are locked.
      const [, isHeld, webhookIds, notifications] = await Promise.all([
        lanes.length > 1 ? lockWaitingLanes(db, accountId, lanes) : null,
        finishAttempts(db, accountId, rows),
        left.length > 0 ? releaseNextInLanes(db, accountId, { lanes: left, now }) : [],
        followed.length > 0 ? leaseNextInLanes(db, accountId, { lanes: followed, now }) : [],
      ])
      for (const webhookId of webhookIds) released.add(webhookId)
      for (const { token, ...notification } of notifications) leased.set(token, notification)
      return isHeld
    })
    for (const { accountId, each, reason } of ends) {
      if (reason === null) continue
      await failQueued(db, { accountId, id: each.notification.webhookId, now })
      await notifyDisabled(db, service, { ...each.notification, reason })
    }
    return ends.map(({ each, reason, row }, place) => ({
      isGivenUp: held[place] === true && row.status === 'failed',
      hasReleased: released.has(each.notification.webhookId),
      next: toNext(service, each, leased),
      reason,
    }))
  }
  return inTransaction(service.pool, work, 'once')
}

function isFirst({ each }: { readonly each: EndedAttempt }): boolean {
  return each.notification.attempts === 0
}

/** The new state of the notification, and the line of its log. */
function toAttemptEnd(
  { notification, token, logId, outcome, startedAt, random }: LoggedAttempt,
  reason: string | null,
  nowMs: number,
): Parameters<typeof finishAttempts>[2][number] {
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
    id: notification.id,
    webhookId: notification.webhookId,
    laneId: notification.laneId,
    madeAt: notification.madeAt,
    token,
    status: outcome.kind === 'succeeded' ? 'succeeded' : nextAttemptAt === null ? 'failed' : 'pending',
    log: {
      id: logId,
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

function lanesOf(ended: readonly { readonly each: EndedAttempt }[]): readonly Lane[] {
  const lanes = ended.map(({ each }) => each.notification)
  return [...new Map(lanes.map((lane) => [laneKey(lane), lane])).values()]
}

const laneKey = ({ webhookId, laneId }: Lane): string => `${webhookId} ${laneId}`

function toNext(
  service: Service,
  { next, followed }: EndedAttempt,
  leased: ReadonlyMap<string, LeasedNotification>,
): LeasedDelivery | null {
  const notification = leased.get(next?.token ?? '')
  if (next === null || notification === undefined) return null
  return toLeasedDelivery(service, notification, { ...next, followed: followed + 1 })
}

function reportAttempt(service: Service, { notification, outcome }: EndedAttempt, written: AttemptEffects): void {
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

/** What the outcome means for the webhook. Returns the reason when the webhook was switched off. */
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
  const reason = `All deliveries have failed for ${failingDaysMax} days.`
  const failingCutoff = new Date(cutoffMs).toISOString()
  return (await disableWebhook(db, { ...webhook, reason, now, failingSince: failingCutoff })) ? reason : null
}
