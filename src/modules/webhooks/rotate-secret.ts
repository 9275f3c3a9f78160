/**
 * Gives a webhook a new secret. The secret used before stays valid for a day, so that receivers can change to the new
 * one.
 */

import { inTransaction } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requirePermission } from '../access/context.ts'
import { recordChange } from '../audit/record-change.ts'
import { notFound, ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { isSubscription } from './delivery-format.ts'
import { makeSecret } from './signatures.ts'
import { type WebhookWithSecret, withSecret } from './webhook-secrets.ts'
import { endSecrets, insertWebhookSecret, listLiveSecrets } from './webhook-secrets-sql.ts'
import { lockWebhook, type Webhook } from './webhooks-sql.ts'

const overlapMs = 24 * 3_600_000
const liveMax = 10

/**
 * Returns the webhook with its new secret. Refused while ten secrets are valid, so that none ends before its day is
 * over.
 */
export async function rotateSecret(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<WebhookWithSecret> {
  requirePermission(context, 'webhooks')
  const accountId = context.account.id
  const nowMs = service.clock.now()
  const now = new Date(nowMs).toISOString()
  const webhook = await inTransaction(service.pool, async (db): Promise<Webhook> => {
    const locked = await lockWebhook(db, accountId, id)
    if (locked === null) throw notFound('webhook')
    if (isSubscription(locked.format))
      throw new ServiceError(
        'conflict',
        `The subscriber gives this secret. Change it by PUT /dcsa/v2/event-subscriptions/${id}/secret.`,
      )
    const live = await listLiveSecrets(db, { accountIds: [accountId], webhookIds: [id], now })
    if (live.length >= liveMax)
      throw new ServiceError('conflict', `The webhook has ${liveMax} live secrets; wait until the oldest ends.`)
    await endSecrets(db, { accountId, webhookId: id, at: new Date(nowMs + overlapMs).toISOString() })
    await insertWebhookSecret(db, {
      accountId,
      webhookId: id,
      id: uuidV7(nowMs),
      sealed: service.encryption.encrypt(makeSecret()),
      createdAt: now,
      expiresAt: null,
    })
    await recordChange(db, service, context, {
      action: 'webhook.secret_rotated',
      target: { type: 'webhook', id },
      diff: null,
    })
    return locked
  })
  service.log.info('webhook.secret_rotated', { accountId, webhookId: id, requestId: context.requestId })
  return withSecret(service, webhook)
}
