/** /v2/document_schemas/:id: what can be read of a kind of document. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readPathParameter } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer } from '../../api/openapi/operation.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendOne } from '../../api/responses/send.ts'
import { notFound } from '../errors.ts'
import { readDocumentSchema } from './document-schema-resource.ts'
import { findDocumentSchema } from './document-schemas.ts'

const query = defineQuery({ type: 'document_schema' })

export function documentSchemas(app: FastifyInstance): void {
  app.get(
    '/v2/document_schemas/:id',
    {
      schema: describeOperation({
        id: 'getDocumentSchema',
        never: [403],
        tag: 'Documents',
        summary: 'Get the schema of a kind of document',
        path: { id: '`type@version`. `type@current`, or only the type, means the current version.' },
        query: query.schema,
        answer: documentAnswer('document_schema'),
      }),
    },
    async (request, reply) => {
      const { service } = callerOf(request)
      const view = query.read(request)
      const found = findDocumentSchema(service, readPathParameter(request.params, 'id'))
      if (found === null) throw notFound('document schema')
      return sendOne({ request, reply }, { data: readDocumentSchema(found), view })
    },
  )
}
