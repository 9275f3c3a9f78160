/** Subscribes a URL to events and gives it the secret that its owner checks our signatures with. */

import { inTransaction } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requirePermission } from '../access/context.ts'
import { diffOf, recordChange } from '../audit/record-change.ts'
import { realNow, type Service } from '../service.ts'
import { auditedFields, toAuditedWebhook } from './audited-webhook.ts'
import {
  type CreatableFormat,
  checkExpressible,
  checkFormat,
  checkWebhook,
  type WebhookInput,
} from './check-webhook.ts'
import { checkSignatureHeader } from './custom-headers.ts'
import { allOfContract, toStoredSubscription } from './event-patterns.ts'
import { eventsOfFormat } from './events-of-format.ts'
import { requireWebhookQuota } from './require-webhook-quota.ts'
import { makeSecret } from './signatures.ts'
import { showToManager, type WebhookWithSecret } from './webhook-secrets.ts'
import { insertWebhookSecret } from './webhook-secrets-sql.ts'
import { type EdiIds, insertWebhook, type Webhook, type WebhookFormat, type WebhookMoveFilter } from './webhooks-sql.ts'

export type NewWebhook = Pick<WebhookInput, 'url'> &
  Partial<WebhookInput> & {
    /** Missing or null: our own documents. */
    readonly format?: CreatableFormat | null
    readonly ediIds?: EdiIds | null
  }

/** What a subscription of a standard adds. */
export interface SubscriptionSettings {
  readonly id: string
  readonly secret: string
  readonly format: WebhookFormat
  readonly narrowing: WebhookMoveFilter
}

/**
 * The webhook gets events that are numbered from now on; all events of the contract, or all that its form can express,
 * when none is named. Refused input stores nothing.
 */
export async function createWebhook(
  service: Service,
  context: Context,
  { format: requestedFormat = null, ediIds = null, ...input }: NewWebhook,
  subscription: SubscriptionSettings | null = null,
): Promise<WebhookWithSecret> {
  requirePermission(context, 'webhooks')
  const now = realNow(service)
  const format = subscription?.format ?? requestedFormat
  checkFormat(service, { format: requestedFormat, ids: ediIds })
  if (format !== null && input.events !== undefined) checkExpressible(input.events, format)
  const webhook: Webhook = {
    url: input.url,
    isActive: true,
    events: format === null ? toStoredSubscription([allOfContract]) : eventsOfFormat(format),
    headers: null,
    contentType: null,
    signatureHeaders: null,
    ...checkWebhook(input, service),
    accountId: context.account.id,
    id: subscription?.id ?? uuidV7(service.clock.now()),
    format,
    narrowing: subscription?.narrowing ?? null,
    ediIds,
    disabledReason: null,
    failingSince: null,
    createdAt: now,
    updatedAt: now,
  }
  checkSignatureHeader(webhook, { service, areHeadersGiven: true })
  const secret = subscription?.secret ?? makeSecret()
  await inTransaction(service.pool, async (db) => {
    await requireWebhookQuota(db, service, context)
    await insertWebhook(db, webhook)
    await insertWebhookSecret(db, {
      accountId: webhook.accountId,
      webhookId: webhook.id,
      id: uuidV7(service.clock.now()),
      sealed: service.encryption.encrypt(secret),
      createdAt: now,
      expiresAt: null,
    })
    await recordChange(db, service, context, {
      action: 'webhook.created',
      target: { type: 'webhook', id: webhook.id },
      diff: diffOf(null, toAuditedWebhook(webhook), auditedFields),
    })
  })
  service.log.info('webhook.created', {
    accountId: webhook.accountId,
    webhookId: webhook.id,
    requestId: context.requestId,
  })
  return showToManager(service, webhook, secret)
}
