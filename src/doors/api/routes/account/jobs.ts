/** /v2/jobs: what of the account's work waits, is under way, or fails. */

import type { FastifyInstance } from 'fastify'
import { listJobs } from '../../../../service/running/jobs/list-jobs.ts'
import { sendList } from '../../answering/answer.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { listOf, operation } from '../../description/operation.ts'

const query = defineQuery({ type: 'job' })

export function jobs(app: FastifyInstance): void {
  app.get(
    '/v2/jobs',
    {
      schema: operation({
        id: 'listJobs',
        tag: 'Operations',
        summary: "List the account's work that waits, is under way, or fails",
        description:
          'What has begun and is not ended comes first, then each queue, also when nothing waits in it.',
        query: query.schema,
        answer: listOf('job'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      return sendList({ request, reply }, { data: await listJobs(service, context), view })
    },
  )
}
