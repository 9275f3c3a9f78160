/** /v2/charges: what containers cost, summed up over a shipment, a customer, or all. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { booleanFilter, choiceFilter, idFilter, integerFilter, textFilter } from '../../api/query/filters.ts'
import { tagsFilter, untilFilter } from '../../api/query/list-filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { linkWith, sendJsonApi } from '../../api/responses/send.ts'
import { timesWriter } from '../../api/shape/whole-times.ts'
import { chargeKinds, chargers } from '../../domain/charges/terms.ts'
import { chargeSumsSchema, writeChargeSums } from './charge-sums-resource.ts'
import { sumCharges } from './sum-charges.ts'

const query = defineQuery({
  type: 'charge_terms',
  filters: {
    shipmentId: idFilter('filter[shipment]', 'Id of a shipment.'),
    customerId: idFilter('filter[customer]', 'Id of the party for which it is tracked.'),
    refNumber: textFilter(
      'filter[ref_number]',
      'A whole reference number of the container or its shipment, in upper or lower case.',
    ),
    tags: tagsFilter('of its shipment'),
    kind: choiceFilter('filter[kind]', chargeKinds),
    chargedBy: choiceFilter('filter[charged_by]', chargers),
    isRunning: booleanFilter('filter[running]', 'True: clocks that run. False: clocks that have stopped.'),
    until: untilFilter('Last day of the forecast, at most 60 days ahead; if it is missing, two weeks ahead.'),
    after: idFilter('after', 'Id of the last container that you have, as in `links.next`.'),
    limit: integerFilter('limit', { min: 1, max: 500, fallback: 100, description: 'Rows of a page.' }),
  },
})

const withTimes = timesWriter(chargeSumsSchema)

export function charges(app: FastifyInstance): void {
  app.get(
    '/v2/charges',
    {
      schema: describeOperation({
        id: 'listCharges',
        tag: 'Charges',
        summary: 'Sum up the charges of containers',
        description:
          'By currency: owed until today, forecast, and the avoidable part of it; a row for each container in the order of their ids, and for how many containers it is not known, and why. The sums of all containers are on the first page.',
        query: query.schema,
        answer: chargeSumsSchema,
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const { until, after, limit, ...filter } = query.read(request).filter
      const summed = await sumCharges(service, context, { filter, until, after, limit })
      const next = summed.next === null ? null : linkWith(request, 'after', summed.next)
      const document = writeChargeSums(summed, next)
      return sendJsonApi(reply, withTimes?.(document) ?? document)
    },
  )
}
