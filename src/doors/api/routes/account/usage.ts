/** /v2/usage: how much the account uses, by minutes and months. */

import type { FastifyInstance } from 'fastify'
import { getUsage } from '../../../../service/people/usage/get-usage.ts'
import { sendOne } from '../../answering/answer.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, operation } from '../../description/operation.ts'

const query = defineQuery({ type: 'usage' })

export function usage(app: FastifyInstance): void {
  app.get(
    '/v2/usage',
    {
      schema: operation({
        id: 'getUsage',
        tag: 'Operations',
        summary: 'Get the usage of the account',
        description:
          'For each rate limit: the requests of the last 60 seconds, this one included. For this month and the twelve months before: what was created and sent.',
        query: query.schema,
        answer: documentOf('usage'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      return sendOne({ request, reply }, { data: await getUsage(service, context), view })
    },
  )
}
