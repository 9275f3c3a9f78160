/** The name of an event's notification at a webhook: the same for ever, so that a receiver can tell a repetition. */

import { uuidV5 } from '../../../platform/ids.ts'

/** `data.id` and `webhook-id`. */
export function notificationId(eventId: string, webhookId: string): string {
  return uuidV5(eventId, webhookId)
}
