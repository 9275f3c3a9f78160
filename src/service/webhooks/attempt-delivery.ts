/** One attempt at one notification: its bytes made or taken from before, signed, sent, and what came back written down. */

import { uuidV7 } from '../../platform/ids.ts'
import { type Db, inTransaction } from '../../store/database.ts'
import { insertAttempt } from '../../store/webhook-notification-logs.ts'
import {
  type ClaimedNotification,
  finishAttempt,
  keepBody,
  releaseNextInLane,
  stopQueued,
} from '../../store/webhook-notifications.ts'
import { disableWebhook, markFailing } from '../../store/webhooks.ts'
import { realNow, type Service } from '../service.ts'
import { isReservedHeader } from './custom-headers.ts'
import { type DeliveryOutcome, readOutcome } from './delivery-outcome.ts'
import { findRetryGapMs } from './retry-schedule.ts'
import { signedHeaders } from './signatures.ts'

/** What the document of a notification is written from. */
export type NotificationToRender = Pick<
  ClaimedNotification,
  'accountId' | 'id' | 'webhookId' | 'eventId' | 'event' | 'sequence' | 'createdAt'
>

/** Writes the document; `main.ts` brings it, because documents are the doors' business. */
export type RenderNotification = (notification: NotificationToRender) => Promise<Buffer>

export interface Claim {
  readonly notification: ClaimedNotification
  readonly token: string
  /** The webhook's live secrets, the oldest first. */
  readonly secrets: readonly string[]
}

const answerBytesMax = 64 * 1_024
const failingDaysMax = 5
const dayMs = 86_400_000

/** False when nothing was sent: the webhook is off, the notification could not be written and signed, or the lease was lost. */
export async function attemptDelivery(
  service: Service,
  claim: Claim,
  by: { readonly render: RenderNotification; readonly random: () => number },
): Promise<boolean> {
  const { notification } = claim
  if (!notification.isWebhookActive) {
    await stop(service, claim)
    return false
  }
  const startedAt = realNow(service)
  const body = await prepareBody(service, claim, by.render)
  if (body.kind === 'lease_lost') return false
  const outcome = body.kind === 'body' ? await send(service, claim, body.bytes) : unwritten
  await writeDown(service, claim, {
    outcome,
    startedAt,
    isOurs: body.kind === 'unwritable',
    random: by.random(),
  })
  return body.kind === 'body'
}

type Body =
  | { readonly kind: 'body'; readonly bytes: Buffer }
  | { readonly kind: 'unwritable' }
  | { readonly kind: 'lease_lost' }

const unwritten: DeliveryOutcome = {
  kind: 'failed',
  statusCode: null,
  error: 'the notification could not be written and signed',
  address: null,
  durationMs: 0,
  responseBody: null,
  retryAfterMs: null,
}

/** The bytes are kept before they are sent: whatever happens then, every later attempt sends the same. */
async function prepareBody(service: Service, claim: Claim, render: RenderNotification): Promise<Body> {
  const { notification, token } = claim
  if (claim.secrets.length === 0) return { kind: 'unwritable' }
  if (notification.body !== null) return { kind: 'body', bytes: notification.body }
  try {
    const bytes = await render(notification)
    const { accountId, id } = notification
    return (await keepBody(service.pool, { accountId, id, token }, bytes))
      ? { kind: 'body', bytes }
      : { kind: 'lease_lost' }
  } catch (error) {
    service.metrics.record('job.failed', { job: 'notification' }, { notificationId: notification.id, error })
    return { kind: 'unwritable' }
  }
}

async function send(service: Service, claim: Claim, body: Buffer): Promise<DeliveryOutcome> {
  const { notification, secrets } = claim
  const { signatureHeader, deliveryTimeoutMs } = service.config.network
  const own = (notification.headers ?? []).filter(({ name }) => !isReservedHeader(name, signatureHeader))
  const nowMs = service.clock.now()
  const signed = signedHeaders({
    id: notification.id,
    body,
    atMs: nowMs,
    secrets,
    hexHeader: signatureHeader,
  })
  const result = await service.egress.request({
    url: notification.url,
    method: 'POST',
    headers: mergeHeaders([
      ...defaultHeaders,
      ...own.map(({ name, value }) => [name, value] as const),
      ...signed,
    ]),
    body,
    timeoutMs: deliveryTimeoutMs,
    maxBytes: answerBytesMax,
    tenant: notification.accountId,
  })
  return readOutcome(result, service.clock.now())
}

const defaultHeaders = [
  ['Content-Type', 'application/vnd.api+json'],
  ['User-Agent', 'Landfall'],
] as const

/** The later of two spellings of one name stands. */
function mergeHeaders(headers: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  const byName = new Map(headers.map((header) => [header[0].toLowerCase(), header]))
  return Object.fromEntries(byName.values())
}

/** Locks the webhook before the notification, as the sequencer does. */
async function writeDown(
  service: Service,
  { notification, token }: Claim,
  ended: {
    readonly outcome: DeliveryOutcome
    readonly startedAt: string
    /** The fault is on our side and says nothing about the receiver. */
    readonly isOurs: boolean
    readonly random: number
  },
): Promise<void> {
  const { accountId, id, webhookId } = notification
  const { outcome } = ended
  const attempts = notification.attempts + 1
  const nowMs = service.clock.now()
  const now = new Date(nowMs).toISOString()
  const written = await inTransaction(service.pool, async (db) => {
    const reason = ended.isOurs ? null : await judgeWebhook(db, notification, outcome, nowMs)
    const gapMs =
      outcome.kind === 'failed' && reason === null
        ? findRetryGapMs({ attempts, random: ended.random, retryAfterMs: outcome.retryAfterMs })
        : null
    const nextAttemptAt = gapMs === null ? null : new Date(nowMs + gapMs).toISOString()
    const status = outcome.kind === 'succeeded' ? 'succeeded' : nextAttemptAt === null ? 'failed' : 'pending'
    const isHeld = await finishAttempt(db, { accountId, id, token }, { status, attempts, nextAttemptAt })
    await insertAttempt(db, {
      accountId,
      notificationId: id,
      id: uuidV7(nowMs),
      attempt: attempts,
      statusCode: outcome.statusCode,
      error: outcome.error,
      address: outcome.address,
      durationMs: outcome.durationMs,
      responseBody: outcome.responseBody,
      createdAt: ended.startedAt,
      nextAttemptAt,
    })
    if (isHeld && attempts === 1) await releaseNextInLane(db, notification, now)
    if (reason !== null) await stopQueued(db, { accountId, id: webhookId, now })
    return { status, reason }
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
  if (written.status === 'failed') service.metrics.record('delivery.given_up', {}, ids)
  if (written.reason !== null)
    service.metrics.record('webhook.disabled', {}, { accountId, webhookId, reason: written.reason })
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

/** A webhook that is off gets nothing more: what was queued for it ends. */
async function stop(service: Service, { notification, token }: Claim): Promise<void> {
  const { accountId, id, webhookId, attempts } = notification
  await inTransaction(service.pool, async (db) => {
    await finishAttempt(db, { accountId, id, token }, { status: 'failed', attempts, nextAttemptAt: null })
    await stopQueued(db, { accountId, id: webhookId, now: realNow(service) })
  })
}
