/** /v2/tracking_requests: takes a number to track, and lists the requests. */

import type { FastifyInstance } from 'fastify'
import {
  failedReasons,
  requestStatuses,
  requestTypes,
} from '../../../../core/requests/tracking-request-state.ts'
import type { Service } from '../../../../service/service.ts'
import { readFieldFilters } from '../../../../service/tracking/custom-fields/read-field-filters.ts'
import { exportTrackingRequests } from '../../../../service/tracking/requests/export-tracking-requests.ts'
import { getTrackingRequest } from '../../../../service/tracking/requests/get-tracking-request.ts'
import { listTrackingRequests } from '../../../../service/tracking/requests/list-tracking-requests.ts'
import { requestOnce } from '../../../../service/tracking/requests/request-once.ts'
import { requestTracking } from '../../../../service/tracking/requests/request-tracking.ts'
import { sendOne } from '../../answering/answer.ts'
import { createOpenExports, sendPageOrExport } from '../../answering/export.ts'
import { formatFilter } from '../../answering/export-format.ts'
import {
  choiceFilter,
  idFilter,
  listFilter,
  numberFilter,
  scacFilter,
  textFilter,
  timeFilter,
} from '../../asking/filters.ts'
import { customFieldsFilter, textsFilter } from '../../asking/list-filters.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, exportablePageOf, operation } from '../../description/operation.ts'
import { readNewRequest, trackingRequestBody } from '../../inputs/tracking-request.ts'

/** Included when `include` is not given: clients read the shipment from the answer. */
export const includedByDefault = 'tracked_object'

/** Clients name what they want by its type: `include=shipment,container`. */
export const includeAliases = {
  shipment: 'tracked_object',
  container: 'tracked_object.containers',
}

export const listFilters = {
  q: textFilter('q', 'Part of the request number or of a reference number.'),
  requestNumber: numberFilter('filter[request_number]', 'The number of the tracking request.'),
  requestType: choiceFilter('filter[request_type]', requestTypes, { booking: 'booking_number' }),
  status: listFilter('filter[status]', requestStatuses, 'One status, or a comma list; each of them matches.'),
  failedReason: choiceFilter('filter[failed_reason]', failedReasons),
  scac: scacFilter('filter[scac]'),
  refNumber: textFilter(
    'filter[ref_number]',
    'One whole reference number; upper and lower case are the same.',
  ),
  tags: textsFilter('filter[tags]', 'Comma list of tags for the shipment. It must have all of them.'),
  customerId: idFilter('filter[customer]', 'Id of the party for which it is tracked.'),
  createdAt: timeFilter('filter[created_at]'),
  updatedAt: timeFilter('filter[updated_at]'),
  customFields: customFieldsFilter(),
}

const listQuery = defineQuery({
  type: 'tracking_request',
  filters: { ...listFilters, format: formatFilter },
  orders: ['-created_at', 'created_at', '-updated_at', 'updated_at'],
  isPaged: true,
  hasCursors: true,
  includes: includedByDefault,
  includeAliases,
})
const createQuery = defineQuery({ type: 'tracking_request', includes: includedByDefault, includeAliases })

export function trackingRequests(app: FastifyInstance, service: Service): void {
  const streams = createOpenExports(app, service)
  app.get(
    '/v2/tracking_requests',
    {
      config: { hasExport: true },
      schema: operation({
        id: 'listTrackingRequests',
        tag: 'Tracking requests',
        summary: 'List tracking requests, newest first',
        description: '`shipment` and `container` may be included by these names.',
        query: listQuery.schema,
        answer: exportablePageOf('tracking_request'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { context } = callerOf(request)
      const asked = listQuery.read(request)
      const { customFields, format: _, ...filters } = asked.filter
      const given = { entityType: 'TrackingRequest', given: customFields } as const
      const filter = { ...filters, fields: await readFieldFilters(service, context, given) }
      // The default `include` of a page is too much for each row of an export, so an export uses it only when the
      // request names it.
      const hasInclude = (request.query as { readonly include?: unknown }).include !== undefined
      return sendPageOrExport(
        { request, reply },
        {
          type: 'tracking_request',
          asked,
          exported: hasInclude ? asked : { ...asked, include: null },
          linked: ['tracked_object', 'customer'],
          steady: '-created_at',
          page: () => listTrackingRequests(service, context, { ...asked, filter }),
          rows: (order) => exportTrackingRequests(service, context, { filter, order }),
        },
        streams,
      )
    },
  )

  app.post(
    '/v2/tracking_requests',
    {
      config: { bucket: 'create', isInSteps: true },
      schema: operation({
        id: 'createTrackingRequest',
        tag: 'Tracking requests',
        summary: 'Track a bill of lading, booking or container number',
        description: 'The answer comes at once, with status `pending`. The carrier is asked afterwards.',
        query: createQuery.schema,
        body: trackingRequestBody,
        status: 201,
        answer: documentOf('tracking_request'),
      }),
    },
    async (request, reply) => {
      const { service, context, run } = callerOf(request)
      const view = createQuery.read(request)
      const input = readNewRequest(request.body)
      const { id } =
        run === undefined
          ? await requestTracking(service, context, input)
          : await requestOnce(service, context, input, { id: run.id })
      const data = await getTrackingRequest(service, context, { id })
      return sendOne({ request, reply }, { data, view, status: 201 })
    },
  )
}
