/** /v2/documents/:id/reextract, /reclassify, /relink and /rotate: what is done again with a document, soon. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { refuseParameters } from '../../api/query/query.ts'
import { checkVerbBody } from '../../api/request-body/body.ts'
import { sendPlain } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { readDegrees, rotateBody } from './document-input.ts'
import { getDocument } from './get-documents.ts'
import { type DocumentTaskInput, requestDocumentTask } from './request-document-task.ts'

const common = {
  tag: 'Documents',
  path: { id: 'Id of the document.' },
  status: 202,
  answer: schema.object(
    { status: schema.constant('accepted') },
    { description: 'It is queued. An event is sent when the document was read again.' },
  ),
}

interface Verb {
  readonly url: string
  readonly id: string
  readonly summary: string
  readonly verb: 'extract' | 'classify' | 'link'
}

const verbs: readonly Verb[] = [
  {
    url: 'reextract',
    id: 'reextractDocument',
    verb: 'extract',
    summary: 'Read the fields of a document again',
  },
  {
    url: 'reclassify',
    id: 'reclassifyDocument',
    verb: 'classify',
    summary: 'Find the kind of a document again',
  },
  { url: 'relink', id: 'relinkDocument', verb: 'link', summary: 'Find the shipments of a document again' },
]

export function documentsIdVerbs(app: FastifyInstance): void {
  for (const { url, id, summary, verb } of verbs)
    app.post(
      `/v2/documents/:id/${url}`,
      { schema: describeOperation({ ...common, id, summary, hasOptionalBody: true }) },
      async (request, reply) => {
        const { service, context } = callerOf(request)
        refuseParameters(request)
        const documentId = readId(request.params, 'document')
        checkVerbBody(request.body, { type: 'document', id: documentId })
        await requestDocumentTask(service, context, { id: documentId, verb })
        return sendPlain({ request, reply: reply.status(202) }, accepted)
      },
    )

  app.post(
    '/v2/documents/:id/rotate',
    {
      schema: describeOperation({
        ...common,
        id: 'rotateDocument',
        summary: 'Rotate a document that is an image',
        description: 'The document is then read again.',
        body: rotateBody,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      const id = readId(request.params, 'document')
      await getDocument(service, context, { id })
      const requested: DocumentTaskInput = { verb: 'rotate', degrees: readDegrees(request.body) }
      await requestDocumentTask(service, context, { id, ...requested })
      return sendPlain({ request, reply: reply.status(202) }, accepted)
    },
  )
}

const accepted = { status: 'accepted' }
