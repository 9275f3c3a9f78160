/** Deletes a webhook, with its queued deliveries, its history and its secrets. */

import { inTransaction } from '../../../store/database.ts'
import { deleteWebhook as deleteRow, findWebhooks } from '../../../store/telling/webhooks.ts'
import { type Context, requirePermission } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { takeAgain } from '../../ledger/take-again.ts'
import { diffOf, recordChange } from '../../people/audit/record-change.ts'
import type { Service } from '../../service.ts'
import { audited, auditedFields } from './audited.ts'
import { type WebhookWithSecret, withSecrets } from './webhook-secrets.ts'

/** Returns the webhook as it was. A running attempt ends by itself and records nothing. */
export async function deleteWebhook(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<WebhookWithSecret> {
  requirePermission(context, 'webhooks')
  const accountId = context.account.id
  const found = await findWebhooks(service.pool, { accountId, ids: [id] })
  const [webhook] = await withSecrets(service, found)
  if (webhook === undefined) throw notFound('webhook')
  // Attempts that end lock its deliveries first and the webhook later; this locks the webhook first.
  await takeAgain(() =>
    inTransaction(service.pool, async (db) => {
      if (!(await deleteRow(db, accountId, id))) throw notFound('webhook')
      await recordChange(db, service, context, {
        action: 'webhook.deleted',
        target: { type: 'webhook', id },
        diff: diffOf(audited(webhook), null, auditedFields),
      })
    }),
  )
  service.log.info('webhook.deleted', { accountId, webhookId: id, requestId: context.requestId })
  return webhook
}
