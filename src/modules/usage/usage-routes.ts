/** /v2/usage: how much the account uses, by minutes and months. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation, documentAnswer } from '../../api/openapi/operation.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendOne } from '../../api/responses/send.ts'
import { getUsage } from './get-usage.ts'

const query = defineQuery({ type: 'usage' })

export function usage(app: FastifyInstance): void {
  app.get(
    '/v2/usage',
    {
      schema: describeOperation({
        id: 'getUsage',
        tag: 'Operations',
        summary: 'Get the usage of the account',
        description:
          'For each rate limit: the requests of the last 60 seconds, this one included. For this month and the twelve months before: what was created and sent.',
        query: query.schema,
        answer: documentAnswer('usage'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      return sendOne({ request, reply }, { data: await getUsage(service, context), view })
    },
  )
}
