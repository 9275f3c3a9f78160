/** /v2/containers/:id/statements: what people of the account know of a container, by telephone or from paper. */

import type { FastifyInstance } from 'fastify'
import { listStatements } from '../../../../service/tracking/containers/list-statements.ts'
import { stateFact, withdrawStatement } from '../../../../service/tracking/containers/state-fact.ts'
import { readId } from '../../../http/path-id.ts'
import { sendOne, sendPage } from '../../answering/answer.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, operation, pageOf } from '../../description/operation.ts'
import { readNewStatement, statementBody } from '../../inputs/statement.ts'

const listQuery = defineQuery({ type: 'statement', isPaged: true })
const query = defineQuery({ type: 'statement' })
const tag = 'Containers'
const container = 'Id of the container.'

export function containersIdStatements(app: FastifyInstance): void {
  app.get(
    '/v2/containers/:id/statements',
    {
      schema: operation({
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
      const asked = listQuery.read(request)
      const containerId = readId(request.params, 'container')
      const page = await listStatements(service, context, { containerId, page: asked.page })
      return sendPage({ request, reply }, { page, asked: asked.page, view: asked })
    },
  )

  app.post(
    '/v2/containers/:id/statements',
    {
      schema: operation({
        id: 'createStatement',
        tag,
        summary: 'State a fact about a container',
        description:
          'The statement counts if no source that is responsible for this fact has stated it. A new statement replaces the earlier one of the account about the same fact. The value null takes the earlier statement back; the answer is then that statement.',
        path: { id: container },
        query: query.schema,
        body: statementBody,
        status: 201,
        answer: documentOf('statement'),
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
      schema: operation({
        id: 'deleteStatement',
        tag,
        summary: 'Take back a statement',
        description: 'The answer is the deleted statement.',
        path: { id: container, statement_id: 'Id of the statement.' },
        query: query.schema,
        answer: documentOf('statement'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const containerId = readId(request.params, 'container')
      const id = readId(request.params, 'statement', 'statement_id')
      return sendOne(
        { request, reply },
        { data: await withdrawStatement(service, context, { containerId, id }), view },
      )
    },
  )
}
