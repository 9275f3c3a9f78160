/** /v2/tracking_requests/:id: the state of a request, and its reference numbers. */

import type { FastifyInstance } from 'fastify'
import { requireCurrent } from '../../../../service/ground/if-current.ts'
import { getTrackingRequest } from '../../../../service/tracking/requests/get-tracking-request.ts'
import { updateTrackingRequest } from '../../../../service/tracking/requests/update-tracking-request.ts'
import { readId } from '../../../http/path-id.ts'
import { sendOne } from '../../answering/answer.ts'
import { readIfCurrent } from '../../answering/entity-tag.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, operation } from '../../description/operation.ts'
import { readRequestChanges, trackingRequestChangesBody } from '../../inputs/tracking-request.ts'
import { includeAliases, includedByDefault, listFilters } from './tracking-requests.ts'

const spec = { type: 'tracking_request', includes: includedByDefault, includeAliases } as const
const query = defineQuery(spec)
const getQuery = defineQuery({ ...spec, ignores: listFilters })
const common = {
  tag: 'Tracking requests',
  path: { id: 'Id of the tracking request.' },
  query: query.schema,
  answer: documentOf('tracking_request'),
}

export function trackingRequestsId(app: FastifyInstance): void {
  app.get(
    '/v2/tracking_requests/:id',
    {
      schema: operation({
        ...common,
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
      schema: operation({
        ...common,
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
      else if (ifCurrent !== null)
        requireCurrent(ifCurrent, await getTrackingRequest(service, context, { id }))
      return sendOne({ request, reply }, { data: await getTrackingRequest(service, context, { id }), view })
    },
  )
}
