/** `note`: what somebody wrote about a shipment, or about one container of it. */

import { type IdentifiedReading, identifierOrNull, type ResourceKind, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { author } from '../audit/author-resource.ts'
import type { Note } from './notes-sql.ts'

export interface NoteReading extends IdentifiedReading {
  readonly type: 'note'
  readonly note: Note
}

export function readNote(note: Note): NoteReading {
  return { type: 'note', id: note.id, note }
}

export const note: ResourceKind<NoteReading> = {
  type: 'note',
  attributes: {
    text: schema.text({ description: 'The text as it was written. It is plain text, never HTML.' }),
    author: author.attribute,
    created_at: schema.instant(),
    updated_at: schema.instant(),
  },
  relations: { shipment: toOne('shipment'), container: toOne('container') },
  write: (reading) => ({
    text: reading.note.text,
    author: author.write(reading.note.createdBy),
    created_at: reading.note.createdAt,
    updated_at: reading.note.updatedAt,
  }),
  link: (reading) => ({
    shipment: { type: 'shipment', id: reading.note.shipmentId },
    container: identifierOrNull('container', reading.note.containerId),
  }),
  self: (reading) => `/shipments/${reading.note.shipmentId}/notes/${reading.id}`,
}
