/** Ends a webhook: its queued deliveries, its history and its secrets go with it. */

import { deleteWebhook as deleteRow } from '../../store/webhooks.ts'
import { type Context, requireScope } from '../context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'

export async function deleteWebhook(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<void> {
  requireScope(context, 'write')
  if (!(await deleteRow(service.pool, context.account.id, id))) throw notFound('webhook')
}
