/** The example of an event: a document as in a delivery, about an invented journey. */

import type { DocumentType } from '../../connectors/papers/document.ts'
import { type EventName, feedNameOf, type WebhookEventName } from '../../domain/changes/event-table.ts'
import { readOwnEvent } from '../../modules/events/domain-event-resource.ts'
import type { DomainEventReading } from '../../modules/events/read-domain-events-sql.ts'
import { findExampleMoment } from '../../modules/webhooks/example-journey.ts'
import { exampleId } from '../../modules/webhooks/example-story.ts'
import { notificationId } from '../../modules/webhooks/notification-id.ts'
import type { Caller } from '../callers/caller.ts'
import type { Fieldsets, JsonApiDocument } from '../json-api/document.ts'
import type { IncludeTree } from '../json-api/include.ts'
import type { Reading } from '../json-api/resource-kinds.ts'
import { exampleCharges } from './example-charges.ts'
import { exampleDocument } from './example-email-document.ts'
import { exampleOverdue } from './example-overdue.ts'
import { exampleLedgerRoot } from './example-root.ts'
import { buildDocument } from './notification-document.ts'

const webhookId = exampleId('webhook')

/**
 * `view` is what the request selects. Without it, everything is shown that a delivery has. `documentType`: the kind of the
 * document of an event about one; null for the usual kind.
 */
export async function writeExample(
  caller: Caller,
  name: WebhookEventName,
  view: { readonly include: IncludeTree | null; readonly fields?: Fieldsets } = { include: null },
  documentType: DocumentType | null = null,
): Promise<JsonApiDocument> {
  const { include, fields } = view
  const { event, sequence, known } = exampleOf(feedNameOf(name), documentType)
  return buildDocument(
    caller,
    {
      type: 'webhook_notification',
      id: notificationId({ eventId: event.id, webhookId, createdAt: event.createdAt }),
      webhookId,
      event,
      name,
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

function exampleOf(name: EventName, documentType: DocumentType | null): Example {
  const moment = findExampleMoment(name)
  if (moment === null)
    return (
      exampleCharges(name) ?? exampleOverdue(name) ?? exampleLedgerRoot(name) ?? exampleDocument(name, documentType)
    )
  const { event, sequence, request, shipment, containers, transportEvents } = moment
  const ownEvent = readOwnEvent(event) as Reading | null
  const known: readonly Reading[] = [
    request,
    ...(shipment === null ? [] : [shipment]),
    ...containers,
    ...transportEvents,
    ...(ownEvent === null ? [] : [ownEvent]),
  ]
  return { event, sequence, known }
}
