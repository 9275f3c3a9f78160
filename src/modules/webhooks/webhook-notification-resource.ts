/** `webhook_notification`: one event for one webhook. By its id the receiver recognizes repeated deliveries. */

import { type Identifier, type ResourceKind, toMany, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { referenceTypes, webhookEventNames } from '../../domain/changes/event-table.ts'
import { deliveryStatuses } from '../../pipeline/delivery/webhook-notifications-sql.ts'
import type { WebhookNotificationReading } from './list-notifications-sql.ts'

export const webhookNotification: ResourceKind<WebhookNotificationReading> = {
  type: 'webhook_notification',
  attributes: {
    id: schema.id(),
    event: schema.oneOf(webhookEventNames, { description: 'The name by which the webhook gets the event.' }),
    delivery_status: schema.oneOf(deliveryStatuses),
    created_at: schema.instant(),
    sequence: {
      type: 'integer',
      minimum: 1,
      description: 'Number of the event in the sequence of the account. The sequence has no gaps.',
    },
  },
  relations: {
    webhook: toOne('webhook'),
    reference_object: toOne(...referenceTypes),
    webhook_notification_logs: toMany('webhook_notification_log'),
  },
  write: (reading) => ({
    id: reading.id,
    event: reading.name,
    delivery_status: reading.deliveryStatus,
    created_at: reading.createdAt,
    sequence: reading.sequence,
  }),
  link: ({ webhookId, event, logIds }) => ({
    webhook: { type: 'webhook', id: webhookId },
    reference_object: { type: event.referenceType, id: event.referenceId },
    webhook_notification_logs: logIds.map((id): Identifier => ({ type: 'webhook_notification_log', id })),
  }),
}
