/** The account's webhooks by page, the newest first, with their secrets as the contract shows them. */

import { type Context, requireScope } from '../access/context.ts'
import type { Service } from '../service.ts'
import { showWebhooks, type WebhookView } from './webhook-secrets.ts'
import { listWebhooks as listRows } from './webhooks-sql.ts'

/** Pages count from 1. */
export async function listWebhooks(
  service: Service,
  context: Context,
  page: { readonly number: number; readonly size: number },
): Promise<{ readonly webhooks: readonly WebhookView[]; readonly total: number }> {
  requireScope(context, 'read')
  const { webhooks, total } = await listRows(service.pool, {
    accountId: context.account.id,
    limit: page.size,
    offset: (page.number - 1) * page.size,
  })
  return { webhooks: await showWebhooks(service, context, webhooks), total }
}
