/** Sends one notification again now, with the same id and the same bytes, and a new signature. */

import { inTransaction } from '../../../store/database.ts'
import { wake } from '../../../store/ground/wake.ts'
import { requeue } from '../../../store/telling/webhook-queue.ts'
import { lockWebhook } from '../../../store/telling/webhooks.ts'
import { type Context, requirePermission } from '../../context.ts'
import { notFound, ServiceError } from '../../errors.ts'
import { recordChange } from '../../people/audit/record-change.ts'
import { realNow, type Service } from '../../service.ts'
import { getNotification } from './list-notifications.ts'

/**
 * Replaces the planned automatic retry. A notification whose attempt runs, or whose first attempt is still to come, is
 * not changed.
 */
export async function redeliver(
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
    if (!webhook.isActive) throw inactive()
    if (await requeue(db, { accountId, id, createdAt, now: realNow(service) })) await wake(db, 'deliveries')
    await recordChange(db, service, context, {
      action: 'webhook_notification.redelivered',
      target: { type: 'webhook_notification', id },
      diff: null,
    })
  })
}

export function inactive(): ServiceError {
  return new ServiceError('conflict', 'The webhook is not active; switch it on first.')
}
