/** One webhook of the account with its secret as the contract shows it, or several by id for related resources. */

import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import { showWebhooks, type WebhookView } from './webhook-secrets.ts'
import { findWebhooks } from './webhooks-sql.ts'

export async function getWebhook(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<WebhookView> {
  const [webhook] = await getWebhooks(service, context, { ids: [id] })
  if (webhook === undefined) throw notFound('webhook')
  return webhook
}

/** Returns those of the ids that the account has, in no order. */
export async function getWebhooks(
  service: Service,
  context: Context,
  { ids }: { readonly ids: readonly string[] },
): Promise<readonly WebhookView[]> {
  requireScope(context, 'read')
  const webhooks = await findWebhooks(service.pool, { accountId: context.account.id, ids })
  return showWebhooks(service, context, webhooks)
}
