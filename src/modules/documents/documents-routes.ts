/** /v2/documents and /v2/documents/types: documents that were sent, and the kinds of documents. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation, documentAnswer, pageOf } from '../../api/openapi/operation.ts'
import { listFilter, textFilter } from '../../api/query/filters.ts'
import { defineQuery, refuseParameters } from '../../api/query/query.ts'
import { sendOne, sendPage, sendPlain } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { documentTypes } from '../../connectors/papers/document.ts'
import { ServiceError } from '../errors.ts'
import { documentBody, readNewDocument } from './document-input.ts'
import { getDocument, listDocuments } from './get-documents.ts'
import { kindLabels } from './kind-labels.ts'
import { handInUpload } from './uploads/hand-in-upload.ts'

const tag = 'Documents'
export const includeAliases = { current_extraction: 'last_document_representation' }
const listQuery = defineQuery({
  type: 'document',
  filters: {
    fileName: textFilter(
      'filter[filename]',
      'Words of the file name; the name must have all of them. Upper and lower case are the same.',
    ),
    reference: textFilter('filter[reference]', 'A number that the document names, however it is written.'),
    documentTypes: listFilter(
      'filter[document_types]',
      documentTypes,
      'Kinds, separated by commas. A kind that a person set counts before the recognised kind.',
    ),
  },
  orders: ['-created_at', 'created_at', 'document_type', '-document_type', 'added_by', '-added_by'],
  isPaged: true,
  hasCursors: true,
  includeAliases,
})
const query = defineQuery({ type: 'document', includeAliases })

export function documents(app: FastifyInstance): void {
  app.get(
    '/v2/documents',
    {
      schema: describeOperation({
        id: 'listDocuments',
        tag,
        summary: 'List documents, newest first',
        query: listQuery.schema,
        answer: pageOf('document'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const parameters = listQuery.read(request)
      const page = await listDocuments(service, context, parameters)
      return sendPage({ request, reply }, { page, pageRequest: parameters.page, view: parameters })
    },
  )

  app.post(
    '/v2/documents',
    {
      config: { isInSteps: true },
      schema: describeOperation({
        id: 'createDocument',
        tag,
        summary: 'Create a document from an uploaded file',
        description:
          'The document is read afterwards; the event `document_representation.created` or `document_representation.failed` follows (`document.extracted` or `document.extraction_failed` for older webhooks). If the account already has a document with the same bytes, the answer is 409 with its id.',
        query: query.schema,
        body: documentBody,
        status: 201,
        answer: documentAnswer('document'),
      }),
    },
    async (request, reply) => {
      const { service, context, run } = callerOf(request)
      const view = query.read(request)
      const result = await handInUpload(service, context, { ...readNewDocument(request.body), id: run?.id })
      // A repeated request whose first answer was lost finds what it made itself.
      const id = result.kind === 'made' ? result.id : result.existingDocumentId
      if (result.kind === 'same' && id !== run?.id)
        throw new ServiceError('duplicate_document', 'This file is a document of this account already.', {
          meta: { existing_document_id: id, existing_document_name: result.existingName },
        })
      const data = await getDocument(service, context, { id })
      return sendOne({ request, reply }, { data, view, status: 201 })
    },
  )

  app.get(
    '/v2/documents/types',
    {
      schema: describeOperation({
        id: 'listDocumentTypes',
        never: [403],
        tag,
        summary: 'List kinds of documents',
        answer: schema.object(
          {
            document_types: schema.list(schema.object({ code: schema.oneOf(documentTypes), label: schema.text() })),
          },
          { description: 'All kinds.' },
        ),
      }),
    },
    async (request, reply) => {
      refuseParameters(request)
      const types = documentTypes.map((code) => ({ code, label: kindLabels[code] }))
      return sendPlain({ request, reply }, { document_types: types })
    },
  )
}
