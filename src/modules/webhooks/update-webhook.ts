/** Changes a webhook: its URL, its events, its other settings, and whether it is on. */

import { inTransaction } from '../../db/database.ts'
import { failQueued } from '../../pipeline/delivery/webhook-notifications-sql.ts'
import { type Context, requirePermission } from '../access/context.ts'
import { diffOf, recordChange } from '../audit/record-change.ts'
import { notFound, ServiceError } from '../errors.ts'
import { type PreconditionCheck, requireCurrent } from '../require-current.ts'
import { realNow, type Service } from '../service.ts'
import { auditedFields, toAuditedWebhook } from './audited-webhook.ts'
import { checkExpressible, checkWebhook, type WebhookInput } from './check-webhook.ts'
import { checkSignatureHeader } from './custom-headers.ts'
import { isSubscription } from './delivery-format.ts'
import { getWebhook } from './get-webhook.ts'
import { showToManager, type WebhookView, type WebhookWithSecret, withSecret } from './webhook-secrets.ts'
import { lockWebhook, updateWebhook as updateRow, type Webhook } from './webhooks-sql.ts'

/**
 * Fields that are not given are not changed. When the webhook is switched off, its queued retries end. When it is
 * switched on again, its failures are forgotten.
 */
export async function updateWebhook(
  service: Service,
  context: Context,
  {
    id,
    ifCurrent = null,
    ...given
  }: {
    readonly id: string
    readonly ifCurrent?: PreconditionCheck<WebhookView> | null
  } & Partial<WebhookInput>,
): Promise<WebhookWithSecret> {
  requirePermission(context, 'webhooks')
  const changes = checkWebhook(given, service)
  const accountId = context.account.id
  const now = realNow(service)
  // Its secrets are read before: a transaction that waits for a second connection may wait for ever.
  const secret = ifCurrent === null ? '' : ((await getWebhook(service, context, { id })).secret ?? '')
  const changed = await inTransaction(service.pool, async (db) => {
    const webhook = await lockWebhook(db, accountId, id)
    if (webhook === null) throw notFound('webhook')
    checkChangesAllowed(webhook, given)
    requireCurrent(ifCurrent, showToManager(service, webhook, secret))
    const isSwitchedOn = changes.isActive === true && !webhook.isActive
    const next: Webhook = {
      ...webhook,
      ...changes,
      ...(isSwitchedOn ? { disabledReason: null, failingSince: null } : {}),
      updatedAt: now,
    }
    if (changes.headers !== undefined || changes.signatureHeaders !== undefined)
      checkSignatureHeader(next, { service, areHeadersGiven: changes.headers !== undefined })
    await updateRow(db, next)
    if (!next.isActive) await failQueued(db, { accountId, id, now })
    await recordChange(db, service, context, {
      action: 'webhook.updated',
      target: { type: 'webhook', id },
      diff: diffOf(toAuditedWebhook(webhook), toAuditedWebhook(next), auditedFields),
    })
    return next
  })
  service.log.info('webhook.updated', { accountId, webhookId: id, requestId: context.requestId })
  return withSecret(service, changed)
}

/** The filter of a subscription of a standard is changed where it was made; here it can be switched off and on. */
function checkChangesAllowed({ format, id }: Webhook, given: Partial<WebhookInput>): void {
  if (format === null) return
  if (given.events !== undefined) checkExpressible(given.events, format)
  const isMore = Object.keys(given).some((field) => field !== 'isActive')
  if (isSubscription(format) && isMore)
    throw new ServiceError(
      'conflict',
      `This is a subscription of DCSA Track & Trace. Change it by PUT /dcsa/v2/event-subscriptions/${id}.`,
    )
}
