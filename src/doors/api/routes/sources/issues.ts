/** /v2/issues, and the issues of one shipment: which parts of the lines' answers could not be read or believed. */

import type { FastifyInstance } from 'fastify'
import { issueKinds, listIssues } from '../../../../service/proving/issues/list-issues.ts'
import { getShipment } from '../../../../service/tracking/shipments/get-shipment.ts'
import { readId } from '../../../http/path-id.ts'
import { sendPage } from '../../answering/answer.ts'
import { choiceFilter, idFilter, momentFilter, scacFilter } from '../../asking/filters.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { operation, pageOf } from '../../description/operation.ts'

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
      schema: operation({
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
      const asked = query.read(request)
      const page = await listIssues(service, context, asked)
      return sendPage({ request, reply }, { page, asked: asked.page, view: asked })
    },
  )

  app.get(
    '/v2/shipments/:id/issues',
    {
      schema: operation({
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
      const asked = shipmentQuery.read(request)
      const { id } = await getShipment(service, context, { id: readId(request.params, 'shipment') })
      const filter = { ...asked.filter, shipmentId: id }
      const page = await listIssues(service, context, { ...asked, filter })
      return sendPage({ request, reply }, { page, asked: asked.page, view: asked })
    },
  )
}
