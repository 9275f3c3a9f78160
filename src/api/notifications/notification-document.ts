/** The document of a delivery: the notification, its reference object, and what the receiver needs to understand it. */

import { eventTable } from '../../domain/changes/event-table.ts'
import { notFound } from '../../modules/errors.ts'
import type { Service } from '../../modules/service.ts'
import { readNotificationMoves } from '../../modules/transport-events/wanted-moves.ts'
import type { WebhookNotificationReading } from '../../modules/webhooks/list-notifications-sql.ts'
import type { NotificationToRender, RenderNotification } from '../../pipeline/delivery/payloads.ts'
import { batchCalls } from '../../platform/batch-calls.ts'
import type { Caller } from '../callers/caller.ts'
import { type Fieldsets, type JsonApiDocument, writeDocument } from '../json-api/document.ts'
import { type IncludeTree, resolveInclude } from '../json-api/include.ts'
import type { LinkedIds } from '../json-api/linkage.ts'
import type { Reading } from '../json-api/resource-kinds.ts'
import { writeMessage } from '../messages/write-message.ts'
import { type NotificationData, readNotificationData } from './read-papers.ts'

/** For `startWorkers`. Reads the data of many documents at once. */
export function openRenderer(service: Service): RenderNotification {
  const read = batchCalls((notifications: readonly NotificationToRender[]) =>
    readNotificationData(service, notifications),
  )
  const readMove = batchCalls((notifications: readonly NotificationToRender[]) =>
    readNotificationMoves(service, notifications),
  )
  return async (notification) => {
    const { format } = notification
    if (format !== null) return writeMessage(notification, { format, move: await readMove(notification) })
    return toBytes(await writeWithData(service, notification, await read(notification)))
  }
}

export function toBytes(document: JsonApiDocument): Buffer {
  return Buffer.from(JSON.stringify(document))
}

/** Included resources are shown in their present state; the reference object as it was when the event was written. */
export async function writeNotification(
  service: Service,
  notification: NotificationToRender,
): Promise<JsonApiDocument> {
  const [papers] = await readNotificationData(service, [notification])
  return writeWithData(service, notification, papers ?? null)
}

async function writeWithData(
  service: Service,
  notification: NotificationToRender,
  papers: NotificationData | null,
): Promise<JsonApiDocument> {
  if (papers === null) throw notFound('event')
  const { event, context, known, linkedIds } = papers
  return buildDocument(
    { service, context },
    {
      type: 'webhook_notification',
      id: notification.id,
      webhookId: notification.webhookId,
      event,
      name: notification.event,
      sequence: notification.sequence,
      deliveryStatus: 'pending',
      createdAt: notification.createdAt,
      logIds: [],
    },
    { known, linkedIds },
  )
}

/**
 * Used for deliveries and for examples. The data of an example is in no database, so the example gives it in `known`.
 */
export async function buildDocument(
  caller: Caller,
  notification: WebhookNotificationReading,
  {
    known = [],
    linkedIds,
    include = { reference_object: eventTable[notification.event.name].included },
    fields = new Map(),
  }: {
    readonly known?: readonly Reading[]
    readonly linkedIds?: LinkedIds
    readonly include?: IncludeTree
    readonly fields?: Fieldsets
  } = {},
): Promise<JsonApiDocument> {
  const inclusion = await resolveInclude(caller, [notification], include, known, { linkedIds })
  const { host, port, publicUrl } = caller.service.config.server
  const base = `${publicUrl ?? `http://${host}:${port}`}/v2`
  const links = { self: `${base}/webhook_notifications/${notification.id}` }
  return { ...writeDocument({ data: notification, inclusion, fields, base }), links }
}
