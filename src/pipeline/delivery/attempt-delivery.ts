/**
 * One attempt to deliver a notification: its bytes are made, or taken from an earlier attempt, signed and sent, and the
 * result is recorded.
 */

import { inTransaction } from '../../db/database.ts'
import { findTrace } from '../../db/trace-notices.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { isReservedHeader } from '../../modules/webhooks/custom-headers.ts'
import { deliveryFormatOf, isSubscription, standardVersion } from '../../modules/webhooks/delivery-format.ts'
import { type DeliveryOutcome, readOutcome } from '../../modules/webhooks/delivery-outcome.ts'
import { signedHeaders } from '../../modules/webhooks/signatures.ts'
import { standardHeaders } from '../../modules/webhooks/standard-signature.ts'
import { lockWebhook } from '../../modules/webhooks/webhooks-sql.ts'
import type { SpanHandle } from '../../platform/live-span.ts'
import { withSpan } from '../../platform/traces.ts'
import { type LeasedDelivery, newLease } from './leases.ts'
import type { FindPayload } from './payloads.ts'
import type { RecordAttempt } from './record-attempt.ts'
import { failNotification, failQueued } from './webhook-notifications-sql.ts'

const answerBytesMax = 64 * 1_024
/** So many of a lane are attempted one after the other. Then it is the turn of the webhook's other lanes. */
const followedMax = 16

/** False when nothing was sent: the webhook is off, the notification could not be written and signed, or the lease was lost. */
export function attemptDelivery(service: Service, leased: LeasedDelivery, by: AttemptTools): Promise<boolean> {
  const { id, accountId, webhookId, eventId, event, attempts } = leased.notification
  return withSpan(
    'delivery',
    () => ({
      kind: 'client',
      attributes: {
        'landfall.account_id': accountId,
        'landfall.notification_id': id,
        'landfall.webhook_id': webhookId,
        'landfall.event_id': eventId,
        'landfall.event': event,
        'landfall.attempt': attempts + 1,
      },
      parent: findTrace(eventId),
    }),
    (spanHandle) => attemptWithin(service, leased, by, spanHandle),
  )
}

interface AttemptTools {
  readonly findPayload: FindPayload
  readonly random: () => number
  readonly record: RecordAttempt
  /** Whether the next of a lane may be attempted when one has ended. */
  readonly mayContinue: () => boolean
}

async function attemptWithin(
  service: Service,
  leased: LeasedDelivery,
  by: AttemptTools,
  spanHandle: SpanHandle,
): Promise<boolean> {
  const { notification } = leased
  if (!notification.isWebhookActive) {
    await failAllQueued(service, leased)
    return false
  }
  const startedAt = realNow(service)
  const body = await prepareBody(service, leased, by)
  if (body.kind === 'lease_lost') return false
  const outcome = body.kind === 'body' ? await send(service, leased, body.bytes) : unwritten
  spanHandle.set({
    'landfall.outcome': outcome.kind,
    'http.response.status_code': outcome.statusCode ?? undefined,
  })
  if (outcome.kind !== 'succeeded') spanHandle.fail(outcome.kind)
  await by.record({
    notification,
    token: leased.token,
    outcome,
    startedAt,
    isOurs: body.kind === 'unwritable',
    random: by.random(),
    followed: leased.followed,
    next: outcome.kind === 'succeeded' && mayContinue(leased, by) ? newLease(service) : null,
  })
  return body.kind === 'body'
}

/** A retry is not the first of its lane, which has gone on meanwhile. */
function mayContinue({ notification, followed }: LeasedDelivery, by: AttemptTools): boolean {
  return notification.attempts === 0 && followed < followedMax && by.mayContinue()
}

type PreparedBody =
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

async function prepareBody(
  service: Service,
  leased: LeasedDelivery,
  by: { readonly findPayload: FindPayload },
): Promise<PreparedBody> {
  const { notification } = leased
  if (leased.secrets.length === 0 || leased.headers === null) return { kind: 'unwritable' }
  try {
    const bytes = await by.findPayload(notification)
    return service.clock.now() < leased.beginsBeforeMs ? { kind: 'body', bytes } : { kind: 'lease_lost' }
  } catch (error) {
    service.metrics.jobFailed({ job: 'notification', notificationId: notification.id, error })
    return { kind: 'unwritable' }
  }
}

async function send(service: Service, leased: LeasedDelivery, body: Buffer): Promise<DeliveryOutcome> {
  const { notification, secrets, headers } = leased
  const { contentType, signatureHeaders } = deliveryFormatOf(service, notification)
  const ownHeaders = (headers ?? []).filter(({ name }) => !isReservedHeader(name, signatureHeaders))
  const nowMs = service.clock.now()
  const version = standardVersion(notification.format)
  const signed = isSubscription(notification.format)
    ? standardHeaders({ subscriptionId: notification.webhookId, body, secrets })
    : signedHeaders({ id: notification.id, body, atMs: nowMs, secrets, hexHeaders: signatureHeaders })
  const result = await service.egress.request({
    url: notification.url,
    method: 'POST',
    headers: mergeHeaders([
      ['Content-Type', contentType],
      ['User-Agent', 'Landfall'],
      ...(version === null ? [] : [['API-Version', version] as const]),
      ...ownHeaders.map(({ name, value }) => [name, value] as const),
      ...signed,
    ]),
    body,
    timeoutMs: service.config.network.deliveryTimeoutMs,
    maxBytes: answerBytesMax,
    isBodyExtra: true,
    tenant: notification.accountId,
  })
  return readOutcome(result, service.clock.now())
}

/** When a name is there twice, in any case, the later header is used. */
function mergeHeaders(headers: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  const byName = new Map(headers.map((header) => [header[0].toLowerCase(), header]))
  return Object.fromEntries(byName.values())
}

/** A webhook that is off gets nothing more: its queued notifications end as failed. */
async function failAllQueued(service: Service, { notification, token }: LeasedDelivery): Promise<void> {
  const { accountId, id, webhookId, createdAt } = notification
  await inTransaction(service.pool, async (db) => {
    await lockWebhook(db, accountId, webhookId)
    await failNotification(db, { accountId, id, createdAt, token })
    await failQueued(db, { accountId, id: webhookId, now: realNow(service) })
  })
}
