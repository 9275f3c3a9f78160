/** /v2/tracking_requests/:id/attempts: every question that Landfall sent to a line for a request. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, pageWith } from '../../api/openapi/operation.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendPage } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { writeTime } from '../../api/shape/whole-times.ts'
import { Type } from '../../platform/json-schema.ts'
import { listAttempts } from './list-attempts.ts'

const waitsFor = schema.anyOf([
  schema.object(
    {
      message_of: schema.textOrNull({ description: 'SCAC of the line that sends.' }),
      until: schema.instantOrNull({
        description:
          'If nothing comes until this time, the request fails with `expired`. Null before the wait begins and after the number was found.',
      }),
    },
    {
      description: 'Set if the carrier cannot be asked and only sends data by itself. Otherwise null.',
    },
  ),
  schema.nothing(),
])

const noLongerListed = schema.anyOf([
  schema.object(
    {
      attempts: Type.Integer({ minimum: 1, description: 'Number of these attempts.' }),
      until: schema.instant({ description: 'Time of the last of these attempts.' }),
    },
    {
      description:
        'Earlier attempts that are no longer listed, because attempts are kept only for the days in `LANDFALL_LOOKS_KEPT_DAYS`. Null if all are listed.',
    },
  ),
  schema.nothing(),
])

const query = defineQuery({ type: 'tracking_attempt', isPaged: true })

export function trackingRequestsIdAttempts(app: FastifyInstance): void {
  app.get(
    '/v2/tracking_requests/:id/attempts',
    {
      schema: describeOperation({
        id: 'listTrackingRequestAttempts',
        tag: 'Tracking requests',
        summary: 'List the polls of carriers for a tracking request, newest first',
        description:
          'For each poll: its time, the kind of number, the result, and the next step with its time. If the carrier does not know the number as the kind that you sent, Landfall polls once for each other kind that the number can be.',
        path: { id: 'Id of the tracking request.' },
        query: query.schema,
        answer: pageWith('tracking_attempt', { waits_for: waitsFor, no_longer_listed: noLongerListed }),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const parameters = query.read(request)
      const id = readId(request.params, 'tracking request')
      const { awaits, removed, ...page } = await listAttempts(service, context, { id, page: parameters.page })
      return sendPage(
        { request, reply },
        {
          page,
          pageRequest: parameters.page,
          view: parameters,
          meta: {
            waits_for: awaits === null ? null : { message_of: awaits.scac, until: awaits.until },
            no_longer_listed: removed === null ? null : { ...removed, until: writeTime(removed.until) },
          },
        },
      )
    },
  )
}
