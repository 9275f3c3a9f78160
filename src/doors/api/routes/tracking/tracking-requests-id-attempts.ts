/** /v2/tracking_requests/:id/attempts: every question that Landfall asked a line for a request. */

import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { listAttempts } from '../../../../service/tracking/requests/list-attempts.ts'
import * as schema from '../../../documents/shape/schema.ts'
import { writeTime } from '../../../documents/shape/whole-times.ts'
import { readId } from '../../../http/path-id.ts'
import { sendPage } from '../../answering/answer.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { operation, pageWith } from '../../description/operation.ts'

const waitsFor = schema.anyOf([
  schema.object(
    {
      message_of: schema.textOrNull({ description: 'SCAC of the line that sends.' }),
      until: schema.instantOrNull({
        description:
          'When the request fails with `expired` if nothing came; null before the wait begins, and once it was found.',
      }),
    },
    {
      description:
        'Nobody is asked: the line sends what it knows, and there is no access to ask it. Null else.',
    },
  ),
  schema.nothing(),
])

const noLongerListed = schema.anyOf([
  schema.object(
    {
      attempts: Type.Integer({ minimum: 1, description: 'How many.' }),
      until: schema.instant({ description: 'When the last of them was made.' }),
    },
    {
      description:
        'Earlier attempts that are not listed any more: each is kept for `LANDFALL_LOOKS_KEPT_DAYS`. Null while all are listed.',
    },
  ),
  schema.nothing(),
])

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
        answer: pageWith('tracking_attempt', { waits_for: waitsFor, no_longer_listed: noLongerListed }),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = query.read(request)
      const id = readId(request.params, 'tracking request')
      const { awaits, gone, ...page } = await listAttempts(service, context, { id, page: asked.page })
      return sendPage(
        { request, reply },
        {
          page,
          asked: asked.page,
          view: asked,
          meta: {
            waits_for: awaits === null ? null : { message_of: awaits.scac, until: awaits.until },
            no_longer_listed: gone === null ? null : { ...gone, until: writeTime(gone.until) },
          },
        },
      )
    },
  )
}
