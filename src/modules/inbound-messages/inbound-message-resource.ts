/** `inbound_message`: a message of a partner through a channel of the account, and the result of each message part. */

import type { ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { wantedStatuses } from '../../pipeline/ingestion/wanted-requests-sql.ts'
import { Type } from '../../platform/json-schema.ts'
import { type InboundMessageReading, messageStatuses, type WantedReading } from './list-inbound-messages-sql.ts'

const whole = Type.Integer({ minimum: 0 })

const wanted = schema.object(
  {
    kind: schema.text(),
    number: schema.text(),
    status: schema.oneOf(wantedStatuses, {
      description:
        '`waiting`: not processed yet; `reason` says why. `made`: the tracking request was created. `known`: the account already had it. `refused`: it cannot be created; `reason` says why.',
    }),
    reason: schema.textOrNull(),
    tracking_request_id: schema.textOrNull(),
  },
  {
    description:
      'If the channel creates tracking requests and the account did not know the number: the result. Otherwise null.',
  },
)

function writeWanted({ trackingRequestId, kind, number, status, reason }: WantedReading) {
  return { kind, number, status, reason, tracking_request_id: trackingRequestId }
}

export const inboundMessage: ResourceKind<InboundMessageReading> = {
  type: 'inbound_message',
  attributes: {
    channel: schema.text({ description: 'Name of the channel.' }),
    received_at: schema.instant(),
    content_type: schema.textOrNull(),
    byte_count: whole,
    status: schema.oneOf(messageStatuses, {
      description:
        '`faulty`: a piece of it could not be divided into parts. `unmapped`: something in it is not understood yet. `waiting`: a part is about a shipment that the account does not have yet. `expired`: no such shipment came in time, and the part was deleted. `heard`: all parts were used.',
    }),
    faults: schema.list(
      schema.object({
        kind: schema.text(),
        lost: schema.text(),
        place: schema.text({ description: 'A JSON pointer, or the number of segment and element: `/12/3`.' }),
        detail: schema.text(),
      }),
    ),
    parts: schema.list(
      schema.object({
        part: Type.Integer({ minimum: 1 }),
        about: schema.list(schema.object({ kind: schema.text(), number: schema.text() })),
        bytes: schema.list(schema.object({ from: whole, to: whole }), {
          description:
            'Its place in the delivery: the position of its first byte, and the position after its last byte.',
        }),
        is_unmapped: Type.Boolean(),
        expired_at: schema.instantOrNull({
          description: 'When the part was deleted, because no shipment needed it.',
        }),
        shipment_ids: schema.texts({ description: 'Shipments that used it.' }),
        request: schema.anyOf([wanted, schema.nothing()]),
      }),
      { description: 'The first thousand.' },
    ),
  },
  relations: {},
  link: () => ({}),
  write: (reading) => ({
    channel: reading.channel,
    received_at: reading.receivedAt,
    content_type: reading.contentType,
    byte_count: reading.byteCount,
    status: reading.status,
    faults: reading.faults.map(({ kind, lost, path, detail }) => ({ kind, lost, place: path, detail })),
    parts: reading.parts.map(({ part, about, ranges, isUnmapped, expiredAt, shipmentIds, request }) => ({
      part,
      about,
      bytes: ranges,
      is_unmapped: isUnmapped,
      expired_at: expiredAt,
      shipment_ids: shipmentIds,
      request: request === null ? null : writeWanted(request),
    })),
  }),
}
