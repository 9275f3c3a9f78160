/** One webhook of the account, with its secret as the contract shows it. */

import { findWebhook } from '../../store/webhooks.ts'
import { type Context, requireScope } from '../context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import { type WebhookWithSecret, withSecrets } from './webhook-secrets.ts'

export async function getWebhook(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<WebhookWithSecret> {
  requireScope(context, 'read')
  const found = await findWebhook(service.pool, context.account.id, id)
  const [webhook] = found === null ? [] : await withSecrets(service, [found])
  if (webhook === undefined) throw notFound('webhook')
  return webhook
}
