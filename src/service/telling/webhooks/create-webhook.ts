/** Subscribes a URL to events and gives it the secret that its owner checks our signatures with. */

import { uuidV7 } from '../../../platform/ids.ts'
import { inTransaction } from '../../../store/database.ts'
import { insertWebhookSecret } from '../../../store/telling/webhook-secrets.ts'
import {
  type EdiIds,
  insertWebhook,
  type Narrowing,
  type Webhook,
  type WebhookFormat,
} from '../../../store/telling/webhooks.ts'
import { type Context, requirePermission } from '../../context.ts'
import { diffOf, recordChange } from '../../people/audit/record-change.ts'
import { realNow, type Service } from '../../service.ts'
import { eventsOfFormat } from '../moves/events-of-format.ts'
import { audited, auditedFields } from './audited.ts'
import { checkSignatureStands } from './custom-headers.ts'
import { allOfContract, subscriptionOf } from './event-patterns.ts'
import { requireRoom } from './require-room.ts'
import { makeSecret } from './signatures.ts'
import {
  checkFormat,
  checkSayable,
  checkWebhook,
  type GivenFormat,
  type WebhookInput,
} from './webhook-input.ts'
import { showToManager, type WebhookWithSecret } from './webhook-secrets.ts'

export type NewWebhook = Pick<WebhookInput, 'url'> &
  Partial<WebhookInput> & {
    /** Missing or null: our own documents. */
    readonly format?: GivenFormat | null
    readonly ediIds?: EdiIds | null
  }

/** What a subscription of a standard brings along. */
export interface Brought {
  readonly id: string
  readonly secret: string
  readonly format: WebhookFormat
  readonly narrowing: Narrowing
}

/**
 * The webhook gets events that are numbered from now on; all events of the contract, or all that its form can say,
 * when none is named. Refused input
 * stores nothing.
 */
export async function createWebhook(
  service: Service,
  context: Context,
  { format: asked = null, ediIds = null, ...input }: NewWebhook,
  brought: Brought | null = null,
): Promise<WebhookWithSecret> {
  requirePermission(context, 'webhooks')
  const now = realNow(service)
  const format = brought?.format ?? asked
  checkFormat(service, { format: asked, ids: ediIds })
  if (format !== null && input.events !== undefined) checkSayable(input.events, format)
  const webhook: Webhook = {
    url: input.url,
    isActive: true,
    events: format === null ? subscriptionOf([allOfContract]) : eventsOfFormat(format),
    headers: null,
    contentType: null,
    signatureHeaders: null,
    ...checkWebhook(input, service),
    accountId: context.account.id,
    id: brought?.id ?? uuidV7(service.clock.now()),
    format,
    narrowing: brought?.narrowing ?? null,
    ediIds,
    disabledReason: null,
    failingSince: null,
    createdAt: now,
    updatedAt: now,
  }
  checkSignatureStands(webhook, { service, areHeadersGiven: true })
  const secret = brought?.secret ?? makeSecret()
  await inTransaction(service.pool, async (db) => {
    await requireRoom(db, service, context)
    await insertWebhook(db, webhook)
    await insertWebhookSecret(db, {
      accountId: webhook.accountId,
      webhookId: webhook.id,
      id: uuidV7(service.clock.now()),
      sealed: service.vault.seal(secret),
      createdAt: now,
      expiresAt: null,
    })
    await recordChange(db, service, context, {
      action: 'webhook.created',
      target: { type: 'webhook', id: webhook.id },
      diff: diffOf(null, audited(webhook), auditedFields),
    })
  })
  service.log.info('webhook.created', {
    accountId: webhook.accountId,
    webhookId: webhook.id,
    requestId: context.requestId,
  })
  return showToManager(service, webhook, secret)
}
