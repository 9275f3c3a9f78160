/** /v2/document_schemas/:id: what can be read of a kind of document. */

import type { FastifyInstance } from 'fastify'
import { findDocumentSchema } from '../../../../service/documents/ground/document-schemas.ts'
import { notFound } from '../../../../service/errors.ts'
import { readDocumentSchema } from '../../../documents/resources/documents/document-schema.ts'
import { readPart } from '../../../http/path-id.ts'
import { sendOne } from '../../answering/answer.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, operation } from '../../description/operation.ts'

const query = defineQuery({ type: 'document_schema' })

export function documentSchemas(app: FastifyInstance): void {
  app.get(
    '/v2/document_schemas/:id',
    {
      schema: operation({
        id: 'getDocumentSchema',
        never: [403],
        tag: 'Documents',
        summary: 'Get the schema of a kind of document',
        path: { id: '`type@version`. `type@current`, or only the type, means the current version.' },
        query: query.schema,
        answer: documentOf('document_schema'),
      }),
    },
    async (request, reply) => {
      const { service } = callerOf(request)
      const view = query.read(request)
      const found = findDocumentSchema(service, readPart(request.params, 'id'))
      if (found === null) throw notFound('document schema')
      return sendOne({ request, reply }, { data: readDocumentSchema(found), view })
    },
  )
}
