/** /v2/containers/:id/statements: what people of the account know of a container, by telephone or from paper. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer, pageOf } from '../../api/openapi/operation.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendOne, sendPage } from '../../api/responses/send.ts'
import { stateFact, withdrawStatement } from '../containers/state-fact.ts'
import { listStatements } from './list-statements.ts'
import { readNewStatement, statementBody } from './statement-input.ts'

const listQuery = defineQuery({ type: 'statement', isPaged: true })
const query = defineQuery({ type: 'statement' })
const tag = 'Containers'
const container = 'Id of the container.'

export function containersIdStatements(app: FastifyInstance): void {
  app.get(
    '/v2/containers/:id/statements',
    {
      schema: describeOperation({
        id: 'listStatements',
        tag,
        summary: 'List the statements of people about a container, newest first',
        description:
          'Statements that were replaced or taken back are not listed; the history of the container shows them.',
        path: { id: container },
        query: listQuery.schema,
        answer: pageOf('statement'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const parameters = listQuery.read(request)
      const containerId = readId(request.params, 'container')
      const page = await listStatements(service, context, { containerId, page: parameters.page })
      return sendPage({ request, reply }, { page, pageRequest: parameters.page, view: parameters })
    },
  )

  app.post(
    '/v2/containers/:id/statements',
    {
      schema: describeOperation({
        id: 'createStatement',
        tag,
        summary: 'State a fact about a container',
        description:
          'The statement counts if no source that is responsible for this fact has stated it. A new statement replaces the earlier one of the account about the same fact. The value null takes the earlier statement back; the answer is then that statement.',
        path: { id: container },
        query: query.schema,
        body: statementBody,
        status: 201,
        answer: documentAnswer('statement'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const containerId = readId(request.params, 'container')
      const data = await stateFact(service, context, readNewStatement(request.body, containerId))
      return sendOne({ request, reply }, { data, view, status: 201 })
    },
  )

  app.delete(
    '/v2/containers/:id/statements/:statement_id',
    {
      schema: describeOperation({
        id: 'deleteStatement',
        tag,
        summary: 'Take back a statement',
        description: 'The answer is the deleted statement.',
        path: { id: container, statement_id: 'Id of the statement.' },
        query: query.schema,
        answer: documentAnswer('statement'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const containerId = readId(request.params, 'container')
      const id = readId(request.params, 'statement', 'statement_id')
      return sendOne({ request, reply }, { data: await withdrawStatement(service, context, { containerId, id }), view })
    },
  )
}
