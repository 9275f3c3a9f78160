/** /v2/containers/:id/charges: free time day by day, the charges due, and the charges to come. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { untilFilter } from '../../api/query/list-filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { asOfFilter } from '../../api/responses/as-of.ts'
import { sendJsonApi } from '../../api/responses/send.ts'
import { timesWriter } from '../../api/shape/whole-times.ts'
import { containerChargesSchema, writeContainerCharges } from './container-charges-resource.ts'
import { getCharges } from './get-charges.ts'

const query = defineQuery({
  type: 'charge_terms',
  filters: {
    until: untilFilter('Last day of the forecast, at most a year ahead; if it is missing, two weeks ahead.'),
    asOf: asOfFilter('Uses what was known at that time about the container and the terms.'),
  },
})

const withTimes = timesWriter(containerChargesSchema)

export function containersIdCharges(app: FastifyInstance): void {
  app.get(
    '/v2/containers/:id/charges',
    {
      schema: describeOperation({
        id: 'getContainerCharges',
        tag: 'Charges',
        summary: 'Get the charges of a container, day by day',
        description:
          'For all terms that apply: one statement for each day with its reason and its claims, the last free day and the reported ones, the bill until today, and a forecast. Amounts are whole minor units. Where no terms are on record, `charges` is empty.',
        path: { id: 'Id of the container.' },
        query: query.schema,
        answer: containerChargesSchema,
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const { until, asOf } = query.read(request).filter
      const containerId = readId(request.params, 'container')
      const reading = await getCharges(service, context, { containerId, until, asOf })
      const document = writeContainerCharges(containerId, reading)
      return sendJsonApi(reply, withTimes?.(document) ?? document)
    },
  )
}
