/** /v2/sources: the channels through which an account gets news of its containers, and the state of each. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer, listAnswer } from '../../api/openapi/operation.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendList, sendOne } from '../../api/responses/send.ts'
import { getSourceOverview, listSourceOverviews } from './list-sources.ts'
import { readSource } from './source-resource.ts'

const query = defineQuery({ type: 'source' })

export function sources(app: FastifyInstance): void {
  app.get(
    '/v2/sources',
    {
      schema: describeOperation({
        id: 'listSources',
        tag: 'Shipping lines',
        summary: 'List the sources: carriers that are polled and partners that send data',
        description:
          'Sources of the account and of the whole installation. Not paginated. `docs/coverage.md` describes carriers without such a source.',
        query: query.schema,
        answer: listAnswer('source'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const ways = await listSourceOverviews(service, context)
      return sendList({ request, reply }, { data: ways.map(readSource), view })
    },
  )

  app.get(
    '/v2/sources/:id',
    {
      schema: describeOperation({
        id: 'getSource',
        tag: 'Shipping lines',
        summary: 'Get a source',
        path: { id: 'Id of the source.' },
        query: query.schema,
        answer: documentAnswer('source'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const way = await getSourceOverview(service, context, { id: readId(request.params, 'source') })
      return sendOne({ request, reply }, { data: readSource(way), view })
    },
  )
}
