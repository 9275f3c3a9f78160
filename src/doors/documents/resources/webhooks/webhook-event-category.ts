/** `webhook_event_category`: a group of events that can be subscribed to, each with its description. */

import { LANDFALL_NAMESPACE, uuidV5 } from '../../../../platform/ids.ts'
import type { EventCategory } from '../../../../service/telling/webhooks/event-catalogue.ts'
import type { Identified, ResourceKind } from '../../shape/resource.ts'
import * as schema from '../../shape/schema.ts'

export interface WebhookEventCategoryReading extends Identified {
  readonly type: 'webhook_event_category'
  readonly category: EventCategory
}

export function readEventCategory(category: EventCategory): WebhookEventCategoryReading {
  const id = uuidV5(LANDFALL_NAMESPACE, `webhook event category:${category.name}`)
  return { type: 'webhook_event_category', id, category }
}

const eventSchema = schema.object({ name: schema.text(), description: schema.text() })

export const webhookEventCategory: ResourceKind<WebhookEventCategoryReading> = {
  type: 'webhook_event_category',
  attributes: { name: schema.text(), events: schema.list(eventSchema) },
  relations: {},
  write: ({ category: { name, events } }) => ({ name, events }),
  link: () => ({}),
}
