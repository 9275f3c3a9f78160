/**
 * Sends again what receivers did not accept: some notifications by id, or all of one webhook, given up or still tried.
 */

import { anyTime } from '../../db/listing/page.ts'
import { type Context, requirePermission } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { getWebhook } from './get-webhook.ts'
import { listNotifications } from './list-notifications.ts'
import { recoverNotifications } from './recover-notifications.ts'
import { redeliverNotification } from './redeliver-notification.ts'

/** Of those that are still tried, so many in one call. */
const pendingMax = 100
const beginning = '1970-01-01T00:00:00.000Z'

export interface RedeliveryResult {
  readonly queued: number
  /** False when there is more than one call handles. */
  readonly isComplete: boolean
  readonly refused: readonly { readonly id: string; readonly detail: string }[]
}

export async function redeliverFailing(
  service: Service,
  context: Context,
  of: { readonly ids: readonly string[] } | { readonly webhookId: string },
): Promise<RedeliveryResult> {
  requirePermission(context, 'webhooks')
  if ('ids' in of) {
    const refused: { readonly id: string; readonly detail: string }[] = []
    for (const id of new Set(of.ids)) {
      await redeliverNotification(service, context, { id }).catch((error: unknown) => {
        if (!(error instanceof ServiceError)) throw error
        refused.push({ id, detail: error.detail })
      })
    }
    return { queued: new Set(of.ids).size - refused.length, isComplete: true, refused }
  }
  const { webhookId } = of
  await getWebhook(service, context, { id: webhookId })
  const { rows, total } = await listNotifications(service, context, {
    filter: { deliveryStatus: 'pending', event: null, webhookId, createdAt: anyTime, isFailing: true },
    order: 'created_at',
    page: { number: 1, size: pendingMax },
  })
  for (const { id } of rows) await redeliverNotification(service, context, { id })
  const failed = await recoverNotifications(service, context, {
    id: webhookId,
    since: beginning,
    until: null,
    mode: 'failed_only',
  })
  return {
    queued: rows.length + failed.recovered,
    isComplete: failed.isComplete && total <= rows.length,
    refused: [],
  }
}
