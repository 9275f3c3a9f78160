/** `inbound_message`: what came unasked through a channel of the account, and what became of each part. */

import { Type } from 'typebox'
import { wantedStatuses } from '../../../../store/inbound/wanted-requests.ts'
import {
  type InboundMessageReading,
  messageStatuses,
  type WantedReading,
} from '../../../../store/read/inbound-messages.ts'
import type { ResourceKind } from '../../shape/resource.ts'
import * as schema from '../../shape/schema.ts'

const whole = Type.Integer({ minimum: 0 })

const wanted = schema.object(
  {
    kind: schema.text(),
    number: schema.text(),
    status: schema.oneOf(wantedStatuses, {
      description:
        '`waiting`: its turn has not come, `reason` says why. `made`: the tracking request is there. `known`: the account had it already. `refused`: none can be made, `reason` says why.',
    }),
    reason: schema.textOrNull(),
    tracking_request_id: schema.textOrNull(),
  },
  {
    description:
      'What became of a number that the account did not know, where the channel makes requests; null else.',
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
        '`faulty`: something of it could not be cut into parts. `unmapped`: something in it is not understood yet. `waiting`: a part has nobody yet that it is about. `expired`: a part waited for nobody until its time was over. `heard`: all of it was heard.',
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
          description: 'Where it stands in what came: from the first byte to the one after the last.',
        }),
        is_unmapped: Type.Boolean(),
        expired_at: schema.instantOrNull({ description: 'When it was let go of, for nobody listened.' }),
        shipment_ids: schema.texts({ description: 'Who heard it.' }),
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
