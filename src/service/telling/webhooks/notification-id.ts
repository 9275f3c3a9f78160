/** The id of an event's notification at a webhook. It never changes, so a receiver can recognize a repetition. */

import { uuidV5 } from '../../../platform/ids.ts'

/** Used as `data.id` and as `webhook-id`. */
export function notificationId(eventId: string, webhookId: string): string {
  return uuidV5(eventId, webhookId)
}
