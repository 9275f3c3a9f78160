/** One webhook of the account with its secret as the contract shows it, or several by id for related resources. */

import { findWebhooks } from '../../../store/telling/webhooks.ts'
import { type Context, requireScope } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { type ShownWebhook, showWebhooks } from './webhook-secrets.ts'

export async function getWebhook(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<ShownWebhook> {
  const [webhook] = await getWebhooks(service, context, { ids: [id] })
  if (webhook === undefined) throw notFound('webhook')
  return webhook
}

/** Returns those of the ids that the account has, in no order. */
export async function getWebhooks(
  service: Service,
  context: Context,
  { ids }: { readonly ids: readonly string[] },
): Promise<readonly ShownWebhook[]> {
  requireScope(context, 'read')
  const webhooks = await findWebhooks(service.pool, { accountId: context.account.id, ids })
  return showWebhooks(service, context, webhooks)
}
