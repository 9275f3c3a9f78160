/** /v2/shipments/summary: counts shipments by status, line, port or ship, with the filters of their list. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { choiceFilter, requireFilter } from '../../api/query/filters.ts'
import { defineFilters } from '../../api/query/query.ts'
import { sendPlain } from '../../api/responses/send.ts'
import { readFieldFilters } from '../custom-fields/read-field-filters.ts'
import { shipmentSummaryGroups, summarizeShipments } from '../search/summarize-rows.ts'
import { answerOfSummary, groupsMax, writeSummary } from '../search/summary-resource.ts'
import { shipmentFilters } from './shipments-routes.ts'

const query = defineFilters({
  ...shipmentFilters,
  groupBy: requireFilter('group_by', choiceFilter('group_by', shipmentSummaryGroups)),
})

export function shipmentsSummary(app: FastifyInstance): void {
  app.get(
    '/v2/shipments/summary',
    {
      schema: describeOperation({
        id: 'summarizeShipments',
        tag: 'Shipments',
        summary: 'Count shipments by status, line, port or ship',
        description: 'The largest groups come first. The filters are those of the list of shipments.',
        query: query.schema,
        answer: answerOfSummary(shipmentSummaryGroups),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const { customFields, groupBy, ...filters } = query.read(request)
      const fields = await readFieldFilters(service, context, { entityType: 'Shipment', given: customFields })
      const summary = await summarizeShipments(service, context, { filter: { ...filters, fields }, groupBy, groupsMax })
      return sendPlain({ request, reply }, writeSummary(groupBy, summary))
    },
  )
}
