/** Ends a webhook: its queued deliveries, its history and its secrets go with it. */

import { deleteWebhook as deleteRow, findWebhooks } from '../../store/webhooks.ts'
import { type Context, requireScope } from '../context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import { type WebhookWithSecret, withSecrets } from './webhook-secrets.ts'

/** The webhook as it was. An attempt that is under way ends by itself and leaves no trace. */
export async function deleteWebhook(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<WebhookWithSecret> {
  requireScope(context, 'write')
  const accountId = context.account.id
  const found = await findWebhooks(service.pool, { accountId, ids: [id] })
  const [webhook] = await withSecrets(service, found)
  if (webhook === undefined || !(await deleteRow(service.pool, accountId, id))) throw notFound('webhook')
  service.log.info('webhook.deleted', { accountId, webhookId: id, requestId: context.requestId })
  return webhook
}
