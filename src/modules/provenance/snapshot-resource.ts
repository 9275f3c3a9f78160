/** `snapshot`: the answer of a source as it came. Its bytes have an address of their own. */

import type { ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import type { SnapshotReading } from './get-snapshot.ts'

export const snapshot: ResourceKind<SnapshotReading> = {
  type: 'snapshot',
  attributes: {
    read_at: schema.instant({
      description: 'When these bytes were received for the first time. Equal answers are stored once.',
    }),
    source: schema.object(
      { kind: schema.text(), code: schema.text({ description: 'SCAC of the line, code of the terminal …' }) },
      { description: 'Who said it.' },
    ),
    is_asked: Type.Boolean({
      description: 'True: Landfall asked for it. False: the source sent it by itself.',
    }),
    about: schema.object(
      {
        kind: schema.text({ description: '`container`, `bill_of_lading` or `booking`.' }),
        number: schema.text(),
      },
      { description: 'The number that was asked for, or that the message is about.' },
    ),
    status: Type.Integer({
      description: 'HTTP status of the answer; 200 for messages that the source sent by itself.',
    }),
    media_type: schema.textOrNull({ description: 'Media type that the source stated.' }),
    bytes: Type.Integer({ minimum: 0 }),
    sha256: schema.text({ description: 'SHA-256 of the bytes, in hexadecimal digits.' }),
  },
  relations: {},
  write: (reading) => ({
    read_at: reading.recordedAt,
    source: reading.source,
    is_asked: reading.isPolled,
    about: reading.about,
    status: reading.status,
    media_type: reading.contentType,
    bytes: reading.bytes,
    sha256: reading.sha256,
  }),
  link: () => ({}),
  self: ({ id }) => `/snapshots/${id}`,
  moreLinks: { body: ({ id }) => `/snapshots/${id}/body` },
}
