/** /v2/tracking_requests/:id/attempts: every question that was put to a line for a request. */

import type { FastifyInstance } from 'fastify'
import { listAttempts } from '../../../service/tracking/list-attempts.ts'
import { sendPage } from '../answer.ts'
import { callerOf } from '../caller.ts'
import { operation, pageOf } from '../operation.ts'
import { readId } from '../path-id.ts'
import { defineQuery } from '../query.ts'

const query = defineQuery({ type: 'tracking_attempt', isPaged: true })

export function trackingRequestsIdAttempts(app: FastifyInstance): void {
  app.get(
    '/v2/tracking_requests/:id/attempts',
    {
      schema: operation({
        id: 'listTrackingRequestAttempts',
        tag: 'Tracking requests',
        summary: 'List what was asked of which line for a tracking request, newest first',
        description:
          'When it was asked, as which kind of number, how the answer was taken, and what comes next and when. A number that the line does not know as it was sent is tried once as each other kind that it can be.',
        path: { id: 'Id of the tracking request.' },
        query: query.schema,
        answer: pageOf('tracking_attempt'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = query.read(request)
      const id = readId(request.params, 'tracking request')
      const page = await listAttempts(service, context, { id, page: asked.page })
      return sendPage({ request, reply }, { page, asked: asked.page, view: asked })
    },
  )
}
