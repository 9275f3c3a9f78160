/** `tracking_request`: a number that an account wants to track, and the state of that. */

import { identifierOrNull, type ResourceKind, toMany, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { failedReasons, requestStatuses, requestTypes } from '../../domain/tracking-requests/tracking-request-state.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { lastChangedBy } from '../audit/last-changed-by-resource.ts'
import { understandings, writeUnderstanding } from '../sources/understanding-resource.ts'
import { lineSearch } from './line-search-resource.ts'
import type { TrackingRequestReading } from './list-tracking-requests-sql.ts'

export const trackingRequest: ResourceKind<TrackingRequestReading> = {
  type: 'tracking_request',
  attributes: {
    request_number: schema.text(),
    ref_numbers: { type: ['array', 'null'], items: { type: 'string' } },
    tags: schema.texts(),
    status: schema.oneOf(requestStatuses),
    failed_reason: schema.oneOfOrNull(failedReasons),
    request_type: schema.oneOf(requestTypes),
    scac: schema.textOrNull(),
    created_at: schema.instant(),
    updated_at: schema.instant(),
    is_retrying: { type: 'boolean' },
    retry_count: schema.integerOrNull(),
    shipment_tags: schema.texts(),
  },
  relations: {
    tracked_object: toOne('shipment'),
    customer: toOne('party'),
    party_roles: toMany('party_role'),
    user: toOne('user'),
    account: toOne('account'),
    shipping_line: toOne('shipping_line'),
    custom_fields: toMany('custom_field'),
  },
  write: (reading) => ({
    request_number: reading.requestNumber,
    ref_numbers: reading.refNumbers,
    tags: reading.shipmentTags,
    status: reading.status,
    failed_reason: reading.failedReason,
    request_type: reading.requestType,
    scac: reading.scac,
    created_at: reading.createdAt,
    updated_at: reading.updatedAt,
    is_retrying: reading.isRetrying,
    retry_count: reading.retryCount,
    shipment_tags: reading.shipmentTags,
  }),
  link: (reading) => ({
    tracked_object: identifierOrNull('shipment', reading.shipmentId),
    customer: identifierOrNull('party', reading.customerId),
    user: identifierOrNull('user', reading.userId),
    account: { type: 'account', id: reading.accountId },
    shipping_line: identifierOrNull('shipping_line', findShippingLine(reading.scac ?? '')?.id ?? null),
  }),
  self: ({ id }) => `/tracking_requests/${id}`,
  related: ({ id }) => ({ custom_fields: `/tracking_requests/${id}/custom_fields` }),
  meta: {
    properties: {
      ...lastChangedBy.properties,
      last_answer: schema.oneOfOrNull(understandings, {
        description:
          'How much of the last answer of the carrier was understood. `partly understood`: less than nine tenths of its events. Null if the answer had no events. The attempts have the counts; `/v2/issues` lists each loss.',
      }),
      tracked_as: schema.oneOfOrNull(requestTypes, {
        description: 'The kind of number by which the carrier knows it, if that is not `request_type`; otherwise null.',
      }),
      line_left_alone_until: schema.instantOrNull({
        description:
          'If the request waits because the carrier asked for a pause: when the carrier is polled again. Otherwise null.',
      }),
      line_search: lineSearch.schema,
      made_by_message: schema.anyOf([
        schema.object(
          { channel: schema.text(), inbound_message_id: schema.text() },
          {
            description: 'Id of the message of a channel that created the request; null if a client created it.',
          },
        ),
        schema.nothing(),
      ]),
    },
    write: (reading) => ({
      ...lastChangedBy.write(reading),
      last_answer: reading.isPartlyUnderstood === null ? null : writeUnderstanding(reading.isPartlyUnderstood),
      tracked_as: reading.trackedAs,
      line_left_alone_until: reading.lineLeftAloneUntil,
      line_search: lineSearch.write(reading),
      made_by_message:
        reading.madeBy === null
          ? null
          : { channel: reading.madeBy.channel, inbound_message_id: reading.madeBy.messageId },
    }),
  },
}
