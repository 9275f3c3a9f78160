/** The document of a delivery: the notification, what it refers to, and what the receiver needs to make sense of it. */

import { readEvent } from '../../service/events/read-event.ts'
import type { Service } from '../../service/service.ts'
import type { NotificationToRender, RenderNotification } from '../../service/webhooks/attempt-delivery.ts'
import { type Document, writeDocument } from '../api/document.ts'
import { resolveInclude } from '../api/include.ts'
import type { WebhookNotificationReading } from '../api/resources/webhook-notification.ts'
import { inclusionOf } from './inclusions.ts'

/** For `startWorkers`: writes each document to the bytes that are signed and sent. */
export function openRenderer(service: Service): RenderNotification {
  return async (notification) => Buffer.from(JSON.stringify(await writeNotification(service, notification)))
}

/** Included resources are shown as they stand now; the reference object as it was written. */
export async function writeNotification(
  service: Service,
  notification: NotificationToRender,
): Promise<Document> {
  const { event, context } = await readEvent(service, {
    accountId: notification.accountId,
    id: notification.eventId,
    requestId: notification.id,
  })
  const reading: WebhookNotificationReading = {
    type: 'webhook_notification',
    id: notification.id,
    webhookId: notification.webhookId,
    event,
    sequence: notification.sequence,
    deliveryStatus: 'pending',
    createdAt: notification.createdAt,
    logIds: [],
  }
  const inclusion = await resolveInclude({ service, context }, [reading], inclusionOf(event.name))
  const { host, port, publicUrl } = service.config.server
  const base = `${publicUrl ?? `http://${host}:${port}`}/v2`
  return writeDocument({ data: reading, inclusion, fields: new Map(), base })
}
