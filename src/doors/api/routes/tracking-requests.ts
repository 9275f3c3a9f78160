/** /v2/tracking_requests: a number goes in; what was asked for is listed. */

import type { FastifyInstance } from 'fastify'
import { requestStatuses, requestTypes } from '../../../core/tracking-request-state.ts'
import { getTrackingRequest } from '../../../service/tracking/get-tracking-request.ts'
import { listTrackingRequests } from '../../../service/tracking/list-tracking-requests.ts'
import { requestTracking } from '../../../service/tracking/request-tracking.ts'
import { sendOne, sendPage } from '../answer.ts'
import { callerOf } from '../caller.ts'
import { choiceFilter, numberFilter, scacFilter, textFilter, timeFilter } from '../filters.ts'
import { readNewRequest, trackingRequestBody } from '../inputs/tracking-request.ts'
import { documentOf, operation, pageOf } from '../operation.ts'
import { defineQuery } from '../query.ts'

/** Included when `include` is not given: clients read the shipment off the answer. */
export const includedByDefault = 'tracked_object'

const listQuery = defineQuery({
  type: 'tracking_request',
  filters: {
    q: textFilter('q', 'Part of the request number or of a reference number.'),
    requestNumber: numberFilter('filter[request_number]', 'The number that was asked for.'),
    requestType: choiceFilter('filter[request_type]', requestTypes, { booking: 'booking_number' }),
    status: choiceFilter('filter[status]', requestStatuses),
    scac: scacFilter('filter[scac]'),
    createdAt: timeFilter('filter[created_at]'),
    updatedAt: timeFilter('filter[updated_at]'),
  },
  orders: ['-created_at', 'created_at', '-updated_at', 'updated_at'],
  isPaged: true,
  includes: includedByDefault,
})
const createQuery = defineQuery({ type: 'tracking_request', includes: includedByDefault })

export function trackingRequests(app: FastifyInstance): void {
  app.get(
    '/v2/tracking_requests',
    {
      schema: operation({
        id: 'listTrackingRequests',
        tag: 'Tracking requests',
        summary: 'List tracking requests, newest first',
        query: listQuery.schema,
        answer: pageOf('tracking_request'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const query = listQuery.read(request)
      const page = await listTrackingRequests(service, context, query)
      return sendPage({ request, reply }, { page, asked: query.page, view: query })
    },
  )

  app.post(
    '/v2/tracking_requests',
    {
      config: { bucket: 'create' },
      schema: operation({
        id: 'createTrackingRequest',
        tag: 'Tracking requests',
        summary: 'Track a bill of lading, booking or container number',
        description: 'Answered at once with status `pending`; the line is asked behind it.',
        query: createQuery.schema,
        body: trackingRequestBody,
        status: 201,
        answer: documentOf('tracking_request'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = createQuery.read(request)
      const { id } = await requestTracking(service, context, readNewRequest(request.body))
      const data = await getTrackingRequest(service, context, { id })
      return sendOne({ request, reply }, { data, view, status: 201 })
    },
  )
}
