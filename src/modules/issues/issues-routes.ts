/** /v2/issues, and the issues of one shipment: which parts of the lines' answers could not be read or believed. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, pageOf } from '../../api/openapi/operation.ts'
import { choiceFilter, idFilter, momentFilter, scacFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendPage } from '../../api/responses/send.ts'
import { getShipment } from '../shipments/get-shipment.ts'
import { issueKinds, listIssues } from './list-issues.ts'

const tag = 'Issues'
const ofShipment = {
  scac: scacFilter('filter[scac]'),
  kind: choiceFilter('filter[kind]', issueKinds),
  trackingRequestId: idFilter('filter[tracking_request_id]', 'Id of the tracking request that was answered.'),
  since: momentFilter('filter[since]', 'Shows issues that were seen at this time or later.'),
}
const common = {
  type: 'issue',
  orders: ['-last_seen_at', 'last_seen_at'],
  isPaged: true,
  hasCursors: true,
} as const
const query = defineQuery({
  ...common,
  filters: { ...ofShipment, shipmentId: idFilter('filter[shipment_id]', 'Id of a shipment.') },
})
const shipmentQuery = defineQuery({ ...common, filters: ofShipment })

export function issues(app: FastifyInstance): void {
  app.get(
    '/v2/issues',
    {
      schema: describeOperation({
        id: 'listIssues',
        tag,
        summary: 'List data that could not be read or was not believed, last seen first',
        description:
          'Unknown codes and places, invalid times, events of other containers, answers that cannot be read. Each issue says what is missing because of it, where it is in the answer, and how often it was seen.',
        query: query.schema,
        answer: pageOf('issue'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const parameters = query.read(request)
      const page = await listIssues(service, context, parameters)
      return sendPage({ request, reply }, { page, pageRequest: parameters.page, view: parameters })
    },
  )

  app.get(
    '/v2/shipments/:id/issues',
    {
      schema: describeOperation({
        id: 'listShipmentIssues',
        tag,
        summary: 'List data about a shipment that could not be read or was not believed',
        path: { id: 'Id of the shipment.' },
        query: shipmentQuery.schema,
        answer: pageOf('issue'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const parameters = shipmentQuery.read(request)
      const { id } = await getShipment(service, context, { id: readId(request.params, 'shipment') })
      const filter = { ...parameters.filter, shipmentId: id }
      const page = await listIssues(service, context, { ...parameters, filter })
      return sendPage({ request, reply }, { page, pageRequest: parameters.page, view: parameters })
    },
  )
}
