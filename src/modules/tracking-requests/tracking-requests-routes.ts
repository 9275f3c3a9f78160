/** /v2/tracking_requests: accepts a number to track, and lists the requests. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation, documentAnswerWithMeta, exportablePageOf } from '../../api/openapi/operation.ts'
import {
  choiceFilter,
  idFilter,
  numberFilter,
  partialTextFilter,
  scacFilter,
  timeFilter,
} from '../../api/query/filters.ts'
import { customFieldsFilter, refNumberFilter, statusFilter, tagsFilter } from '../../api/query/list-filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { createOpenExports, sendPageOrExport } from '../../api/responses/export.ts'
import { formatFilter } from '../../api/responses/export-format.ts'
import { sendOne } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { failedReasons, requestStatuses, requestTypes } from '../../domain/tracking-requests/tracking-request-state.ts'
import { findNamedLine } from '../../reference/named-lines.ts'
import { readFieldFilters } from '../custom-fields/read-field-filters.ts'
import type { Service } from '../service.ts'
import { getTrackingRequest } from './get-tracking-request.ts'
import { exportTrackingRequests, listTrackingRequests } from './list-tracking-requests.ts'
import { requestOnce } from './request-once.ts'
import { requestTracking } from './request-tracking.ts'
import { readNewRequest, trackingRequestBody } from './tracking-request-input.ts'

/** Included when `include` is not given: clients read the shipment from the answer. */
export const includedByDefault = 'tracked_object'

/** Clients name what they want by its type: `include=shipment,container`. */
export const includeAliases = {
  shipment: 'tracked_object',
  container: 'tracked_object.containers',
}

export const listFilters = {
  q: partialTextFilter('q', 'Part of the request number or of a reference number.'),
  requestNumber: numberFilter('filter[request_number]', 'The number of the tracking request.'),
  requestType: choiceFilter('filter[request_type]', requestTypes, { booking: 'booking_number' }),
  status: statusFilter(requestStatuses),
  failedReason: choiceFilter('filter[failed_reason]', failedReasons),
  scac: scacFilter('filter[scac]'),
  refNumber: refNumberFilter,
  tags: tagsFilter('for the shipment'),
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
const scacNote = schema.optional(
  schema.text({
    description: 'How `scac` was understood, if it is not the SCAC of a line: `SUDU is taken as Maersk (MAEU).`',
  }),
)
const createQuery = defineQuery({ type: 'tracking_request', includes: includedByDefault, includeAliases })

export function trackingRequests(app: FastifyInstance, service: Service): void {
  const streams = createOpenExports(app, service)
  app.get(
    '/v2/tracking_requests',
    {
      config: { hasExport: true },
      schema: describeOperation({
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
      const parameters = listQuery.read(request)
      const { customFields, format: _, ...filters } = parameters.filter
      const given = { entityType: 'TrackingRequest', given: customFields } as const
      const filter = { ...filters, fields: await readFieldFilters(service, context, given) }
      // The default `include` of a page is too much for each row of an export, so an export uses it only when the
      // request names it.
      const hasInclude = (request.query as { readonly include?: unknown }).include !== undefined
      return sendPageOrExport(
        { request, reply },
        {
          type: 'tracking_request',
          parameters,
          exported: hasInclude ? parameters : { ...parameters, include: null },
          linked: ['tracked_object', 'customer'],
          steady: '-created_at',
          page: () => listTrackingRequests(service, context, { ...parameters, filter }),
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
      schema: describeOperation({
        id: 'createTrackingRequest',
        tag: 'Tracking requests',
        summary: 'Track a bill of lading, booking or container number',
        description: 'The answer comes at once, with status `pending`. The carrier is polled afterwards.',
        query: createQuery.schema,
        body: trackingRequestBody,
        status: 201,
        answer: documentAnswerWithMeta({ scac_note: scacNote }, 'tracking_request'),
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
      const named = input.scac === null ? null : findNamedLine(input.scac)
      const note = named?.kind === 'line' ? named.note : null
      const meta = note === null ? undefined : { scac_note: note }
      return sendOne({ request, reply }, { data, view, status: 201, meta })
    },
  )
}
