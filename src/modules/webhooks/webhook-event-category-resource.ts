/** `webhook_event_category`: a group of events that can be subscribed to, each with its description. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import type { EventCategory } from '../../domain/changes/event-table.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'

export interface WebhookEventCategoryReading extends IdentifiedReading {
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
