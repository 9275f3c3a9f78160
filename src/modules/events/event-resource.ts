/** `event`: one numbered event of the feed, with its reference object. */

import { identifierOrNull, type ResourceKind, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { eventNames, referenceTypes } from '../../domain/changes/event-table.ts'
import type { EventReading } from './list-events-sql.ts'

export const event: ResourceKind<EventReading> = {
  type: 'event',
  attributes: {
    event: schema.oneOf(eventNames),
    sequence: {
      type: 'integer',
      minimum: 1,
      description:
        'Number in the sequence of the account. The sequence has no gaps, and a lower number never appears after a higher one.',
    },
    created_at: schema.instant({ description: 'When it was written. In the sandbox: simulated time.' }),
    reference_type: schema.oneOf(referenceTypes, { description: 'Type of `reference_object`.' }),
  },
  relations: {
    reference_object: toOne(...referenceTypes),
    shipment: toOne('shipment'),
    container: toOne('container'),
    tracking_request: toOne('tracking_request'),
  },
  write: ({ event: { name, createdAt, referenceType }, sequence }) => ({
    event: name,
    sequence,
    created_at: createdAt,
    reference_type: referenceType,
  }),
  link: ({ event: { referenceType, referenceId, shipmentId, containerId, trackingRequestId } }) => ({
    reference_object: { type: referenceType, id: referenceId },
    shipment: identifierOrNull('shipment', shipmentId),
    container: identifierOrNull('container', containerId),
    tracking_request: identifierOrNull('tracking_request', trackingRequestId),
  }),
}
