/** `webhook_notification_log`: one attempt to deliver, and the receiver's answer. */

import { type ResourceKind, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import type { WebhookNotificationLogReading } from './list-notifications-sql.ts'

export const webhookNotificationLog: ResourceKind<WebhookNotificationLogReading> = {
  type: 'webhook_notification_log',
  attributes: {
    attempt: { type: 'integer', minimum: 1 },
    status_code: schema.integerOrNull({ description: 'Null if no answer came.' }),
    error: schema.textOrNull(),
    address: schema.textOrNull({ description: 'The IP address of the connection.' }),
    duration_ms: { type: 'integer', minimum: 0 },
    response_body: schema.textOrNull({ description: 'The first kilobyte of the answer.' }),
    created_at: schema.instant(),
    next_attempt_at: schema.instantOrNull({ description: 'When the next attempt was planned.' }),
  },
  relations: { webhook_notification: toOne('webhook_notification') },
  write: (reading) => ({
    attempt: reading.attempt,
    status_code: reading.statusCode,
    error: reading.error,
    address: reading.address,
    duration_ms: reading.durationMs,
    response_body: reading.responseBody,
    created_at: reading.createdAt,
    next_attempt_at: reading.nextAttemptAt,
  }),
  link: ({ notificationId }) => ({
    webhook_notification: { type: 'webhook_notification', id: notificationId },
  }),
}
