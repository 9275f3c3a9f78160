/** /v2/containers/:id/charges: free time day by day, what is owed, and what it will cost. */

import type { FastifyInstance } from 'fastify'
import { getCharges } from '../../../../service/tracking/charges/get-charges.ts'
import {
  containerChargesSchema,
  writeContainerCharges,
} from '../../../documents/resources/charges/container-charges.ts'
import { timesWriter } from '../../../documents/shape/whole-times.ts'
import { readId } from '../../../http/path-id.ts'
import { send } from '../../answering/answer.ts'
import { momentFilter } from '../../asking/filters.ts'
import { untilFilter } from '../../asking/list-filters.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { operation } from '../../description/operation.ts'

const query = defineQuery({
  type: 'charge_terms',
  filters: {
    until: untilFilter('Last day of the forecast, a year ahead at most; two weeks when left out.'),
    asOf: momentFilter('as_of', 'By what was known then, of the container and of the terms.'),
  },
})

const withTimes = timesWriter(containerChargesSchema)

export function containersIdCharges(app: FastifyInstance): void {
  app.get(
    '/v2/containers/:id/charges',
    {
      schema: operation({
        id: 'getContainerCharges',
        tag: 'Charges',
        summary: 'Get the charges of a container, day by day',
        description:
          'For each terms that count: one statement for each day with its reason and the claims it stands on, the last free day beside those that are reported, the bill until today, and a forecast. Amounts are whole minor units. Where no terms are on record, `charges` is empty.',
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
      return send(reply, withTimes?.(document) ?? document)
    },
  )
}
