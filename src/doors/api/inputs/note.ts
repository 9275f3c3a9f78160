/** Bodies of notes. */

import { Type } from '../../../platform/json-schema.ts'
import * as schema from '../../documents/shape/schema.ts'
import { readAttributes } from '../bodies/body.ts'
import { bodyOf } from '../description/operation.ts'
import { closed, readOnlyOf } from './attributes.ts'
import { readIdentifier } from './custom-field.ts'

const text = Type.String({ minLength: 1, maxLength: 10_000 })
const newNote = Type.Object({ text }, closed)
export const noteBody = bodyOf(
  'note',
  newNote,
  schema.object({
    container: schema.optional(
      schema.object({
        data: schema.anyOf([
          schema.object({ type: schema.constant('container'), id: schema.text() }),
          schema.nothing(),
        ]),
      }),
    ),
  }),
)
const changes = Type.Object({ text: Type.Optional(text) }, closed)
export const noteChangesBody = bodyOf('note', changes)
const readOnly = readOnlyOf('note', newNote)

export function readNewNote(body: unknown): { readonly text: string; readonly containerId: string | null } {
  const given = readAttributes(body, {
    type: 'note',
    id: null,
    attributes: newNote,
    readOnly,
    relationships: ['container'],
  })
  return { text: given.text, containerId: readIdentifier(body, 'container', ['container'])?.id ?? null }
}

/** Attributes that the body does not name are not changed. */
export function readNoteChanges(body: unknown, id: string): { readonly text?: string } {
  return readAttributes(body, { type: 'note', id, attributes: changes, readOnly })
}
