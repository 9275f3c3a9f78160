/** /v2/sources: the channels through which an account gets news of its containers, and the state of each. */

import type { FastifyInstance } from 'fastify'
import { getWayIn, listWaysIn } from '../../../../service/hearing/sources/list-sources.ts'
import { readWayIn } from '../../../documents/resources/sources/source.ts'
import { readId } from '../../../http/path-id.ts'
import { sendList, sendOne } from '../../answering/answer.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, listOf, operation } from '../../description/operation.ts'

const query = defineQuery({ type: 'source' })

export function sources(app: FastifyInstance): void {
  app.get(
    '/v2/sources',
    {
      schema: operation({
        id: 'listSources',
        tag: 'Shipping lines',
        summary: 'List the sources: carriers that are asked and partners that send',
        description:
          'Sources of the account and of the whole installation. Not paginated. `docs/coverage.md` describes carriers without such a source.',
        query: query.schema,
        answer: listOf('source'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const ways = await listWaysIn(service, context)
      return sendList({ request, reply }, { data: ways.map(readWayIn), view })
    },
  )

  app.get(
    '/v2/sources/:id',
    {
      schema: operation({
        id: 'getSource',
        tag: 'Shipping lines',
        summary: 'Get a source',
        path: { id: 'Id of the source.' },
        query: query.schema,
        answer: documentOf('source'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const way = await getWayIn(service, context, { id: readId(request.params, 'source') })
      return sendOne({ request, reply }, { data: readWayIn(way), view })
    },
  )
}
