/** Changes a webhook: where it goes, what it hears of, whether it is on. */

import { inTransaction } from '../../store/database.ts'
import { stopQueued } from '../../store/webhook-notifications.ts'
import { lockWebhook, updateWebhook as updateRow, type Webhook } from '../../store/webhooks.ts'
import { type Context, requireScope } from '../context.ts'
import { notFound } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { checkWebhook, type WebhookInput } from './webhook-input.ts'
import { type WebhookWithSecret, withSecret } from './webhook-secrets.ts'

/** What is left out stays. Switched off, its queued retries end; switched on again, its failures are forgotten. */
export async function updateWebhook(
  service: Service,
  context: Context,
  { id, ...given }: { readonly id: string } & Partial<WebhookInput>,
): Promise<WebhookWithSecret> {
  requireScope(context, 'write')
  const changes = checkWebhook(given, {
    egress: service.egress,
    hexHeader: service.config.network.signatureHeader,
  })
  const accountId = context.account.id
  const now = realNow(service)
  const changed = await inTransaction(service.pool, async (db) => {
    const webhook = await lockWebhook(db, accountId, id)
    if (webhook === null) throw notFound('webhook')
    const isSwitchedOn = changes.isActive === true && !webhook.isActive
    const next: Webhook = {
      ...webhook,
      ...changes,
      ...(isSwitchedOn ? { disabledReason: null, failingSince: null } : {}),
      updatedAt: now,
    }
    await updateRow(db, next)
    if (!next.isActive) await stopQueued(db, { accountId, id, now })
    return next
  })
  service.log.info('webhook.updated', { accountId, webhookId: id, requestId: context.requestId })
  return withSecret(service, changed)
}
