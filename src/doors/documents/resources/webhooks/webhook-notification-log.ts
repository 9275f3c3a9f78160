/** `webhook_notification_log`: one attempt to deliver, and the receiver's answer. */

import type { WebhookNotificationLogReading } from '../../../../store/read/webhook-notifications.ts'
import { one, type ResourceKind } from '../../shape/resource.ts'
import * as schema from '../../shape/schema.ts'

export const webhookNotificationLog: ResourceKind<WebhookNotificationLogReading> = {
  type: 'webhook_notification_log',
  attributes: {
    attempt: { type: 'integer', minimum: 1 },
    status_code: schema.integerOrNull({ description: 'Null when no answer came.' }),
    error: schema.textOrNull(),
    address: schema.textOrNull({ description: 'The address that was connected to.' }),
    duration_ms: { type: 'integer', minimum: 0 },
    response_body: schema.textOrNull({ description: 'The first kilobyte of the answer.' }),
    created_at: schema.instant(),
    next_attempt_at: schema.instantOrNull({ description: 'When it was to be tried again, as planned then.' }),
  },
  relations: { webhook_notification: one('webhook_notification') },
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
