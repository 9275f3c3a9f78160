/** /v2/documents/:id/reextract, /reclassify, /relink and /rotate: what is done again with a document, soon. */

import type { FastifyInstance } from 'fastify'
import { type Asked, askAgain } from '../../../../service/documents/changing/ask-task.ts'
import { getDocument } from '../../../../service/documents/shown/get-documents.ts'
import * as schema from '../../../documents/shape/schema.ts'
import { readId } from '../../../http/path-id.ts'
import { sendPlain } from '../../answering/answer.ts'
import { refuseParameters } from '../../asking/query.ts'
import { checkVerbBody } from '../../bodies/body.ts'
import { callerOf } from '../../caller/caller.ts'
import { operation } from '../../description/operation.ts'
import { readDegrees, rotateBody } from '../../inputs/document.ts'

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
      { schema: operation({ ...common, id, summary, hasOptionalBody: true }) },
      async (request, reply) => {
        const { service, context } = callerOf(request)
        refuseParameters(request)
        const documentId = readId(request.params, 'document')
        checkVerbBody(request.body, { type: 'document', id: documentId })
        await askAgain(service, context, { id: documentId, verb })
        return sendPlain({ request, reply: reply.status(202) }, accepted)
      },
    )

  app.post(
    '/v2/documents/:id/rotate',
    {
      schema: operation({
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
      const asked: Asked = { verb: 'rotate', degrees: readDegrees(request.body) }
      await askAgain(service, context, { id, ...asked })
      return sendPlain({ request, reply: reply.status(202) }, accepted)
    },
  )
}

const accepted = { status: 'accepted' }
