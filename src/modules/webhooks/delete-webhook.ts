/** Deletes a webhook, with its queued deliveries, its history and its secrets. */

import { inTransaction } from '../../db/database.ts'
import { retryOnConflict } from '../../pipeline/ledger/retry-on-conflict.ts'
import { type Context, requirePermission } from '../access/context.ts'
import { diffOf, recordChange } from '../audit/record-change.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import { auditedFields, toAuditedWebhook } from './audited-webhook.ts'
import { type WebhookWithSecret, withSecrets } from './webhook-secrets.ts'
import { deleteWebhook as deleteRow, findWebhooks } from './webhooks-sql.ts'

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
  await retryOnConflict(() =>
    inTransaction(service.pool, async (db) => {
      if (!(await deleteRow(db, accountId, id))) throw notFound('webhook')
      await recordChange(db, service, context, {
        action: 'webhook.deleted',
        target: { type: 'webhook', id },
        diff: diffOf(toAuditedWebhook(webhook), null, auditedFields),
      })
    }),
  )
  service.log.info('webhook.deleted', { accountId, webhookId: id, requestId: context.requestId })
  return webhook
}
