/** /v2/jobs: what of the account's work waits, is under way, or fails. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation, listAnswer } from '../../api/openapi/operation.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendList } from '../../api/responses/send.ts'
import { listJobs } from './list-jobs.ts'

const query = defineQuery({ type: 'job' })

export function jobs(app: FastifyInstance): void {
  app.get(
    '/v2/jobs',
    {
      schema: describeOperation({
        id: 'listJobs',
        tag: 'Operations',
        summary: "List the account's work that waits, is under way, or fails",
        description: 'Work that has begun and has not ended comes first, then each queue, also if it is empty.',
        query: query.schema,
        answer: listAnswer('job'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      return sendList({ request, reply }, { data: await listJobs(service, context), view })
    },
  )
}
