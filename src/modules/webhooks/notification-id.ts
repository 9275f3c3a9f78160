/**
 * The id of an event's notification at a webhook. It is stored and never changes, so a receiver can recognize a
 * repetition. It contains the time when the notification was made, so that it is found in the partition of that time.
 */

import { namedUuidV7 } from '../../platform/ids.ts'

/** Used as `data.id` and as `webhook-id`. */
export function notificationId(of: {
  readonly eventId: string
  readonly webhookId: string
  readonly createdAt: string
}): string {
  return namedUuidV7(Date.parse(of.createdAt), `${of.eventId} ${of.webhookId}`)
}
