/** /v2/documents/:id, and where its file can be fetched. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { Problem } from '../../api/errors/problem.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer, nothingBack } from '../../api/openapi/operation.ts'
import { defineQuery, refuseParameters } from '../../api/query/query.ts'
import { readIfCurrent } from '../../api/responses/entity-tag.ts'
import { originOfRequest, sendNothing, sendOne, sendPlain } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { writeTime } from '../../api/shape/whole-times.ts'
import { deleteDocument } from './delete-document.ts'
import { documentChangesBody, readDocumentChanges } from './document-input.ts'
import { includeAliases } from './documents-routes.ts'
import { createDownloadToken } from './download-document.ts'
import { findManualFaults } from './find-manual-faults.ts'
import { getDocument } from './get-documents.ts'
import { documentTypeOf, updateDocument } from './update-document.ts'

const query = defineQuery({ type: 'document', includeAliases })
const common = { tag: 'Documents', path: { id: 'Id of the document.' } }

export function documentsId(app: FastifyInstance): void {
  app.get(
    '/v2/documents/:id',
    {
      schema: describeOperation({
        ...common,
        id: 'getDocument',
        summary: 'Get a document',
        query: query.schema,
        answer: documentAnswer('document'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const data = await getDocument(service, context, { id: readId(request.params, 'document') })
      return sendOne({ request, reply }, { data, view })
    },
  )

  app.patch(
    '/v2/documents/:id',
    {
      config: { hasPrecondition: true },
      schema: describeOperation({
        ...common,
        id: 'updateDocument',
        summary: 'Correct the kind, the fields and the shipments of a document',
        description:
          'Values of a person replace the values that were read. `shipments` and `cargos` replace the existing links. Landfall never changes a link that a person set or removed.',
        query: query.schema,
        body: documentChangesBody,
        answer: documentAnswer('document'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = readId(request.params, 'document')
      const document = await getDocument(service, context, { id })
      const changes = readDocumentChanges(request.body, id)
      const { documentTypeManual = document.documentTypeManual, extractedDataManual = null } = changes
      const faults =
        extractedDataManual === null
          ? []
          : findManualFaults(service, documentTypeOf({ ...document, documentTypeManual }), extractedDataManual)
      // All faults at once; the verb names the first alone.
      if (faults.length > 0) throw new Problem('invalid', faults.map(writeFault))
      const data = await updateDocument(service, context, {
        id,
        ...changes,
        ifCurrent: readIfCurrent(request),
      })
      return sendOne({ request, reply }, { data, view })
    },
  )

  app.delete(
    '/v2/documents/:id',
    {
      schema: describeOperation({
        ...common,
        id: 'deleteDocument',
        summary: 'Delete a document',
        description: 'The same file can then be sent again.',
        status: 204,
        answer: nothingBack,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      await deleteDocument(service, context, { id: readId(request.params, 'document') })
      return sendNothing(reply)
    },
  )

  app.get(
    '/v2/documents/:id/download_url',
    {
      config: { isNeverStored: true },
      schema: describeOperation({
        ...common,
        id: 'getDocumentDownloadUrl',
        summary: 'Get a signed URL for the file of a document',
        answer: schema.object(
          {
            download_url: schema.text({
              format: 'uri',
              description: 'Everybody who has this address gets the file; no key is needed.',
            }),
            expires_at: schema.instant(),
          },
          { description: 'An address that is valid for a short time.' },
        ),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      const { token, endsAt } = await createDownloadToken(service, context, {
        id: readId(request.params, 'document'),
      })
      const url = `${originOfRequest(request)}/rails/active_storage/blobs/${token}`
      return sendPlain({ request, reply }, { download_url: url, expires_at: writeTime(endsAt) })
    },
  )
}

function writeFault({ pointer, detail }: { readonly pointer: string; readonly detail: string }) {
  return { detail, source: { pointer: `/data/attributes/extracted_data_manual${pointer}` } }
}
