/** `inbound_message`: what came unasked through a channel of the account, and what became of each part. */

import { Type } from 'typebox'
import { type InboundMessageReading, messageStatuses } from '../../../store/read/inbound-messages.ts'
import type { ResourceKind } from '../resource.ts'
import * as schema from '../schema.ts'

const whole = Type.Integer({ minimum: 0 })

export const inboundMessage: ResourceKind<InboundMessageReading> = {
  type: 'inbound_message',
  attributes: {
    channel: schema.text({ description: 'Name of the channel.' }),
    received_at: schema.instant(),
    content_type: schema.textOrNull(),
    byte_count: whole,
    status: schema.oneOf(messageStatuses, {
      description:
        '`faulty`: something of it could not be cut into parts. `unmapped`: something in it is not understood yet. `waiting`: a part has nobody yet that it is about. `heard`: all of it was heard.',
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
        shipment_ids: schema.texts({ description: 'Who heard it.' }),
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
    parts: reading.parts.map(({ part, about, ranges, isUnmapped, shipmentIds }) => ({
      part,
      about,
      bytes: ranges,
      is_unmapped: isUnmapped,
      shipment_ids: shipmentIds,
    })),
  }),
}
