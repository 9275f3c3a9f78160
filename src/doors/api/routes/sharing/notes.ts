/** /v2/shipments/:id/notes and /v2/shipments/:id/notes/:note_id: what people write about a shipment. */

import type { FastifyInstance } from 'fastify'
import { createNote, deleteNote, getNote, listNotes, updateNote } from '../../../../service/sharing/notes.ts'
import { readNote } from '../../../documents/resources/sharing/note.ts'
import { readId } from '../../../http/path-id.ts'
import { sendNothing, sendOne, sendPage } from '../../answering/answer.ts'
import { readIfCurrent } from '../../answering/entity-tag.ts'
import { idFilter } from '../../asking/filters.ts'
import { defineQuery, refuseParameters } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, nothingBack, operation, pageOf } from '../../description/operation.ts'
import { noteBody, noteChangesBody, readNewNote, readNoteChanges } from '../../inputs/note.ts'

const tag = 'Notes'
const listQuery = defineQuery({
  type: 'note',
  filters: { containerId: idFilter('filter[container]', 'Id of the container that it is about.') },
  orders: ['-created_at'],
  isPaged: true,
  hasCursors: true,
})
const query = defineQuery({ type: 'note' })
const ofShipment = { id: 'Id of the shipment.' }
const ofNote = { ...ofShipment, note_id: 'Id of the note.' }
const common = { tag, path: ofNote, query: query.schema, answer: documentOf('note') }

export function notes(app: FastifyInstance): void {
  app.get(
    '/v2/shipments/:id/notes',
    {
      schema: operation({
        id: 'listNotes',
        tag,
        summary: 'List the notes of a shipment, newest first',
        path: ofShipment,
        query: listQuery.schema,
        answer: pageOf('note'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = listQuery.read(request)
      const shipmentId = readId(request.params, 'shipment')
      const page = await listNotes(service, context, { shipmentId, ...asked })
      return sendPage(
        { request, reply },
        { page: { ...page, rows: page.rows.map(readNote) }, asked: asked.page, view: asked },
      )
    },
  )

  app.post(
    '/v2/shipments/:id/notes',
    {
      schema: operation({
        id: 'createNote',
        tag,
        summary: 'Write a note about a shipment',
        description: 'If you send the relationship `container`, the note is about that container.',
        path: ofShipment,
        query: query.schema,
        body: noteBody,
        status: 201,
        answer: documentOf('note'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const shipmentId = readId(request.params, 'shipment')
      const made = await createNote(service, context, { shipmentId, ...readNewNote(request.body) })
      return sendOne({ request, reply }, { data: readNote(made), view, status: 201 })
    },
  )

  app.get(
    '/v2/shipments/:id/notes/:note_id',
    { schema: operation({ ...common, id: 'getNote', summary: 'Get a note' }) },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      return sendOne(
        { request, reply },
        { data: readNote(await getNote(service, context, namedIn(request.params))), view },
      )
    },
  )

  app.patch(
    '/v2/shipments/:id/notes/:note_id',
    {
      config: { hasPrecondition: true },
      schema: operation({
        ...common,
        id: 'updateNote',
        summary: 'Change the text of a note',
        description:
          'Only the author may change a note. A note that an API key wrote may be changed by every key of the account.',
        body: noteChangesBody,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const named = namedIn(request.params)
      // Checks the note first: if it does not exist, that is the answer, whatever the body contains.
      await getNote(service, context, named)
      const isCurrent = readIfCurrent(request)
      const changed = await updateNote(service, context, {
        ...named,
        ...readNoteChanges(request.body, named.id),
        ifCurrent: isCurrent && ((found) => isCurrent(readNote(found))),
      })
      return sendOne({ request, reply }, { data: readNote(changed), view })
    },
  )

  app.delete(
    '/v2/shipments/:id/notes/:note_id',
    {
      schema: operation({
        id: 'deleteNote',
        tag,
        summary: 'Delete a note',
        description: 'Allowed for the author, for admins and for API keys.',
        path: ofNote,
        status: 204,
        answer: nothingBack,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      await deleteNote(service, context, namedIn(request.params))
      return sendNothing(reply)
    },
  )
}

function namedIn(params: unknown): { readonly shipmentId: string; readonly id: string } {
  return { shipmentId: readId(params, 'note'), id: readId(params, 'note', 'note_id') }
}
