/** The example of an event: a document as in a delivery, about an invented journey. */

import type { EventName } from '../../service/telling/webhooks/event-catalogue.ts'
import { findExampleMoment } from '../../service/telling/webhooks/example-journey.ts'
import { exampleId } from '../../service/telling/webhooks/example-story.ts'
import { notificationId } from '../../service/telling/webhooks/notification-id.ts'
import type { DomainEventReading } from '../../store/read/domain-events.ts'
import type { Fieldsets, JsonApiDocument } from '../documents/document.ts'
import type { Caller } from '../documents/following/caller.ts'
import type { IncludeTree } from '../documents/following/include.ts'
import { readOwnEvent } from '../documents/resources/webhooks/domain-event.ts'
import type { Reading } from '../documents/resources.ts'
import { exampleCharges } from './example-charges.ts'
import { exampleDocument } from './example-papers.ts'
import { exampleRoot } from './example-root.ts'
import { buildDocument } from './notification-document.ts'

const webhookId = exampleId('webhook')

/** `view` is what the request asks for. Without it, everything is shown that a delivery has. */
export async function writeExample(
  caller: Caller,
  name: EventName,
  view: { readonly include: IncludeTree | null; readonly fields?: Fieldsets } = { include: null },
): Promise<JsonApiDocument> {
  const { include, fields } = view
  const { event, sequence, known } = exampleOf(name)
  return buildDocument(
    caller,
    {
      type: 'webhook_notification',
      id: notificationId({ eventId: event.id, webhookId, createdAt: event.createdAt }),
      webhookId,
      event,
      sequence,
      deliveryStatus: 'pending',
      createdAt: event.createdAt,
      logIds: [],
    },
    { known, ...(include === null ? {} : { include }), ...(fields === undefined ? {} : { fields }) },
  )
}

interface Example {
  readonly event: DomainEventReading
  readonly sequence: number
  readonly known: readonly Reading[]
}

function exampleOf(name: EventName): Example {
  const moment = findExampleMoment(name)
  if (moment === null) return exampleCharges(name) ?? exampleRoot(name) ?? exampleDocument(name)
  const { event, sequence, request, shipment, containers, transportEvents } = moment
  const own = readOwnEvent(event) as Reading | null
  const known: readonly Reading[] = [
    request,
    ...(shipment === null ? [] : [shipment]),
    ...containers,
    ...transportEvents,
    ...(own === null ? [] : [own]),
  ]
  return { event, sequence, known }
}
