/** /v2/tracking_requests/:id: the state of a request, and its reference numbers. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer } from '../../api/openapi/operation.ts'
import { defineQuery } from '../../api/query/query.ts'
import { readIfCurrent } from '../../api/responses/entity-tag.ts'
import { sendOne } from '../../api/responses/send.ts'
import { requireCurrent } from '../require-current.ts'
import { getTrackingRequest } from './get-tracking-request.ts'
import { readRequestChanges, trackingRequestChangesBody } from './tracking-request-input.ts'
import { includeAliases, includedByDefault, listFilters } from './tracking-requests-routes.ts'
import { updateTrackingRequest } from './update-tracking-request.ts'

const spec = { type: 'tracking_request', includes: includedByDefault, includeAliases } as const
const query = defineQuery(spec)
const getQuery = defineQuery({ ...spec, ignores: listFilters })
const common = () => ({
  tag: 'Tracking requests',
  path: { id: 'Id of the tracking request.' },
  query: query.schema,
  answer: documentAnswer('tracking_request'),
})

export function trackingRequestsId(app: FastifyInstance): void {
  app.get(
    '/v2/tracking_requests/:id',
    {
      schema: describeOperation({
        ...common(),
        id: 'getTrackingRequest',
        summary: 'Get a tracking request',
        description:
          '`shipment` and `container` may be included by these names. The filters of the list are accepted and have no effect.',
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = getQuery.read(request)
      const data = await getTrackingRequest(service, context, {
        id: readId(request.params, 'tracking request'),
      })
      return sendOne({ request, reply }, { data, view })
    },
  )

  app.patch(
    '/v2/tracking_requests/:id',
    {
      config: { hasPrecondition: true },
      schema: describeOperation({
        ...common(),
        id: 'updateTrackingRequest',
        summary: 'Change the reference numbers of a tracking request',
        body: trackingRequestChangesBody,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = readId(request.params, 'tracking request')
      const changes = readRequestChanges(request.body, id)
      const ifCurrent = readIfCurrent(request)
      if (changes !== null) await updateTrackingRequest(service, context, { id, ...changes, ifCurrent })
      else if (ifCurrent !== null) requireCurrent(ifCurrent, await getTrackingRequest(service, context, { id }))
      return sendOne({ request, reply }, { data: await getTrackingRequest(service, context, { id }), view })
    },
  )
}
