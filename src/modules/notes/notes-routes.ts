/** /v2/shipments/:id/notes and /v2/shipments/:id/notes/:note_id: what people write about a shipment. */

import type { FastifyInstance } from 'fastify'
import { defineResource } from '../../api/define-resource.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { idFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { closed } from '../../api/request-body/attributes.ts'
import { camelNames, defineChangeBody, defineCreateBody } from '../../api/request-body/resource-body.ts'
import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import { readIdentifier } from '../custom-fields/custom-field-input.ts'
import { note, readNote } from './note-resource.ts'
import { createNote, deleteNote, getNote, listNotes, updateNote } from './notes.ts'

const listQuery = defineQuery({
  type: 'note',
  filters: { containerId: idFilter('filter[container]', 'Id of the container that it is about.') },
  orders: ['-created_at'],
  isPaged: true,
  hasCursors: true,
})
const attributes = Type.Object({ text: Type.String({ minLength: 1, maxLength: 10_000 }) }, closed)
const container = schema.object({ type: schema.constant('container'), id: schema.text() })
const noteBody = defineCreateBody(
  note,
  attributes,
  ({ text }, body) => ({ text, containerId: readIdentifier(body, 'container', ['container'])?.id ?? null }),
  { container: schema.optional(schema.object({ data: schema.anyOf([container, schema.nothing()]) })) },
)

export function notes(app: FastifyInstance): void {
  const routes = defineResource(app, {
    type: 'note',
    tag: 'Notes',
    path: '/v2/shipments/:id/notes/:note_id',
    ids: { id: 'Id of the shipment.', note_id: 'Id of the note.' },
    keyOf: (params) => ({ shipmentId: readId(params, 'note'), id: readId(params, 'note', 'note_id') }),
    parentOf: (params) => ({ shipmentId: readId(params, 'shipment') }),
    read: readNote,
  })
  routes.page({
    id: 'listNotes',
    summary: 'List the notes of a shipment, newest first',
    query: listQuery,
    verb: listNotes,
  })
  routes.create({
    id: 'createNote',
    summary: 'Write a note about a shipment',
    description: 'If you send the relationship `container`, the note is about that container.',
    body: noteBody,
    verb: createNote,
  })
  routes.get({ id: 'getNote', summary: 'Get a note', verb: getNote })
  routes.change({
    id: 'updateNote',
    summary: 'Change the text of a note',
    description:
      'Only the author may change a note. A note that an API key wrote may be changed by every key of the account.',
    get: getNote,
    body: defineChangeBody(note, Type.Partial(attributes, closed), camelNames),
    verb: updateNote,
  })
  routes.remove({
    id: 'deleteNote',
    summary: 'Delete a note',
    description: 'Allowed for the author, for admins and for API keys.',
    verb: deleteNote,
  })
}
