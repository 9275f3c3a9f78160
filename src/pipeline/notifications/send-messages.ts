/** Sends alerts to the URLs of rules. Each is tried six times within a day, and then given up. */

import { inTransaction } from '../../db/database.ts'
import { recordAlertResult } from '../../modules/alerts/alert-rules-sql.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { readOutcome } from '../../modules/webhooks/delivery-outcome.ts'
import { leaseToken } from '../jobs/holder.ts'
import { endAlertAttempt, type LeasedMessage, leaseAlertMessages } from './alert-messages-sql.ts'

const minuteMs = 60_000
/** The gap before the second, third … attempt. */
const gapsMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * 60 * minuteMs, 8 * 60 * minuteMs] as const
const leaseMarginMs = 45_000
const answerBytesMax = 4_096

/** Leases up to `limit` messages and starts them; each promise ends with its message and never rejects. */
export async function sendMessages(service: Service, limit: number): Promise<readonly Promise<void>[]> {
  const token = leaseToken(service)
  const untilMs = service.clock.now() + service.config.network.deliveryTimeoutMs + leaseMarginMs
  const messages = await leaseAlertMessages(service.pool, {
    token,
    now: realNow(service),
    until: new Date(untilMs).toISOString(),
    limit,
  })
  return messages.map((message) => sendMessage(service, message, token))
}

async function sendMessage(service: Service, message: LeasedMessage, token: string): Promise<void> {
  const { accountId, id, ruleId, attempts } = message
  try {
    const outcome = await postMessage(service, message)
    const gapMs = gapsMs[attempts - 1]
    const isOver = outcome.error === null || outcome.isGone || gapMs === undefined
    const now = realNow(service)
    const waitMs = Math.max(gapMs ?? 0, Math.min(outcome.retryAfterMs ?? 0, 60 * minuteMs))
    const nextAttemptAt = isOver ? null : new Date(service.clock.now() + waitMs).toISOString()
    await inTransaction(service.pool, async (db) => {
      const ended = { accountId, id, token, error: outcome.error, nextAttemptAt, now }
      if (await endAlertAttempt(db, ended))
        await recordAlertResult(db, { accountId, id: ruleId, at: now, error: outcome.error })
    })
  } catch (error) {
    // The lease runs out, and the message is leased again.
    service.metrics.jobFailed({ job: 'alert', notificationId: id, error })
  }
}

export interface PostOutcome {
  readonly error: string | null
  readonly statusCode: number | null
  readonly isGone: boolean
  readonly retryAfterMs: number | null
}

/** `error`: null when the receiver has accepted it. It contains nothing of the URL. */
export async function postMessage(
  service: Service,
  message: Pick<LeasedMessage, 'accountId' | 'encryptedUrl' | 'body'>,
): Promise<PostOutcome> {
  const { accountId, encryptedUrl, body } = message
  if (encryptedUrl === null)
    return { error: 'the rule has no URL any more', statusCode: null, isGone: true, retryAfterMs: null }
  const result = await service.egress.request({
    url: service.encryption.decrypt(encryptedUrl),
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': 'Landfall' },
    body: JSON.stringify(body),
    timeoutMs: service.config.network.deliveryTimeoutMs,
    maxBytes: answerBytesMax,
    isBodyExtra: true,
    tenant: accountId,
  })
  const outcome = readOutcome(result, service.clock.now())
  const { statusCode, retryAfterMs } = outcome
  const error = outcome.kind === 'succeeded' ? null : (outcome.error ?? `the receiver answered ${statusCode}`)
  return { error, statusCode, isGone: outcome.kind === 'gone', retryAfterMs }
}
