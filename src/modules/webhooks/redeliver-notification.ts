/** Sends one notification again now, with the same id and the same bytes, and a new signature. */

import { inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { requeueNotification } from '../../pipeline/delivery/webhook-queue-sql.ts'
import { type Context, requirePermission } from '../access/context.ts'
import { recordChange } from '../audit/record-change.ts'
import { notFound, ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { getNotification } from './list-notifications.ts'
import { lockWebhook } from './webhooks-sql.ts'

/**
 * Replaces the planned automatic retry. A notification whose attempt runs, or whose first attempt is still to come, is
 * not changed.
 */
export async function redeliverNotification(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<void> {
  requirePermission(context, 'webhooks')
  const accountId = context.account.id
  const { webhookId, createdAt } = await getNotification(service, context, { id })
  await inTransaction(service.pool, async (db) => {
    const webhook = await lockWebhook(db, accountId, webhookId)
    if (webhook === null) throw notFound('notification')
    if (!webhook.isActive) throw inactiveWebhookError()
    if (await requeueNotification(db, { accountId, id, createdAt, now: realNow(service) }))
      wakeWorkers(db, 'deliveries')
    await recordChange(db, service, context, {
      action: 'webhook_notification.redelivered',
      target: { type: 'webhook_notification', id },
      diff: null,
    })
  })
}

export function inactiveWebhookError(): ServiceError {
  return new ServiceError('conflict', 'The webhook is not active; switch it on first.')
}
