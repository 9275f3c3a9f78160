/** /v2/shipments */

import type { FastifyInstance } from 'fastify'
import { listShipments } from '../../../service/shipments/list-shipments.ts'
import { sendPage } from '../answer.ts'
import { callerOf } from '../caller.ts'
import { booleanFilter, numberFilter, textFilter } from '../filters.ts'
import { operation, pageOf } from '../operation.ts'
import { defineQuery } from '../query.ts'

const query = defineQuery({
  type: 'shipment',
  filters: {
    q: textFilter('q', 'Part of a bill of lading, reference or container number.'),
    number: numberFilter('number', 'The number that was asked for; not container numbers.'),
    trackingStopped: booleanFilter('filter[tracking_stopped]'),
  },
  orders: ['-created_at', 'created_at', '-updated_at', 'updated_at'],
  isPaged: true,
})

export function shipments(app: FastifyInstance): void {
  app.get(
    '/v2/shipments',
    {
      schema: operation({
        id: 'listShipments',
        tag: 'Shipments',
        summary: 'List shipments, newest first',
        query: query.schema,
        answer: pageOf('shipment'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = query.read(request)
      const page = await listShipments(service, context, asked)
      return sendPage({ request, reply }, { page, asked: asked.page, view: asked })
    },
  )
}
