/** What is written down when an attempt has ended: its log, the notification's fate, and what it means for the webhook. */

import { uuidV7 } from '../../platform/ids.ts'
import { type Db, inTransaction } from '../../store/database.ts'
import {
  type ClaimedNotification,
  finishAttempt,
  releaseNextInLane,
  stopQueued,
} from '../../store/webhook-notifications.ts'
import { disableWebhook, markFailing } from '../../store/webhooks.ts'
import type { Service } from '../service.ts'
import type { DeliveryOutcome } from './delivery-outcome.ts'
import { findRetryGapMs } from './retry-schedule.ts'

const failingDaysMax = 5
const dayMs = 86_400_000

export interface EndedAttempt {
  readonly notification: ClaimedNotification
  readonly token: string
  readonly outcome: DeliveryOutcome
  readonly startedAt: string
  /** The fault is on our side and says nothing about the receiver. */
  readonly isOurs: boolean
  /** From 0 to 1, for the jitter of the next attempt. */
  readonly random: number
}

/** One transaction; it locks the webhook before the notification, as the sequencer does. */
export async function recordAttempt(service: Service, ended: EndedAttempt): Promise<void> {
  const { notification, token } = ended
  const { accountId, id, webhookId } = notification
  const { outcome } = ended
  const attempts = notification.attempts + 1
  const nowMs = service.clock.now()
  const now = new Date(nowMs).toISOString()
  const written = await inTransaction(service.pool, async (db) => {
    const reason = ended.isOurs ? null : await judgeWebhook(db, notification, outcome, nowMs)
    const gapMs =
      outcome.kind === 'failed' && reason === null
        ? findRetryGapMs({
            attempts: attempts - notification.scheduleFrom,
            random: ended.random,
            retryAfterMs: outcome.retryAfterMs,
          })
        : null
    const nextAttemptAt = gapMs === null ? null : new Date(nowMs + gapMs).toISOString()
    const status = outcome.kind === 'succeeded' ? 'succeeded' : nextAttemptAt === null ? 'failed' : 'pending'
    const log = {
      id: uuidV7(nowMs),
      attempt: attempts,
      statusCode: outcome.statusCode,
      error: outcome.error,
      address: outcome.address,
      durationMs: outcome.durationMs,
      responseBody: outcome.responseBody,
      createdAt: ended.startedAt,
      nextAttemptAt,
    }
    const isHeld = await finishAttempt(db, { accountId, id, token }, { status, log })
    if (isHeld && attempts === 1) await releaseNextInLane(db, notification, now)
    if (reason !== null) await stopQueued(db, { accountId, id: webhookId, now })
    return { isGivenUp: isHeld && status === 'failed', reason }
  })
  const ids = { accountId, webhookId, notificationId: id }
  service.metrics.record(
    'delivery.attempted',
    { outcome: outcome.kind },
    {
      ...ids,
      event: notification.event,
      attempt: attempts,
      statusCode: outcome.statusCode,
      error: outcome.error,
      durationMs: outcome.durationMs,
    },
  )
  if (written.isGivenUp) service.metrics.record('delivery.given_up', {}, ids)
  if (written.reason !== null) {
    service.metrics.record('webhook.disabled', {}, { accountId, webhookId, reason: written.reason })
  }
}

/** What the answer means for the webhook as a whole; the reason when it was switched off for it. */
async function judgeWebhook(
  db: Db,
  { accountId, webhookId, failingSince }: ClaimedNotification,
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
