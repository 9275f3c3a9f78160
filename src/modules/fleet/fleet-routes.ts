/** /v2/fleet: everything under way on one map, with the filters of the list of shipments. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { defineFilters } from '../../api/query/query.ts'
import { sendPlain } from '../../api/responses/send.ts'
import { timesWriter } from '../../api/shape/whole-times.ts'
import { readFieldFilters } from '../custom-fields/read-field-filters.ts'
import { shipmentFilters } from '../shipments/shipments-routes.ts'
import { fleetSchema, writeFleet } from './fleet-resource.ts'
import { getFleet } from './get-fleet.ts'

const query = defineFilters(shipmentFilters)
const withTimes = timesWriter(fleetSchema)

export function fleet(app: FastifyInstance): void {
  app.get(
    '/v2/fleet',
    {
      schema: describeOperation({
        id: 'getFleet',
        tag: 'Shipments',
        summary: 'Get all ships and boxes under way as GeoJSON',
        description:
          'One point for each ship that carries containers of yours, and one for each terminal or place where containers are, with the number of containers by status. Containers that were picked up, delivered or returned are not included. The filters are those of the list of shipments.',
        query: query.schema,
        answer: fleetSchema,
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const { customFields, ...filters } = query.read(request)
      const given = request.query as object
      const fields = await readFieldFilters(service, context, { entityType: 'Shipment', given: customFields })
      const filter = Object.keys(given).length === 0 ? null : { ...filters, fields }
      const map = writeFleet(await getFleet(service, context, { filter }))
      return sendPlain({ request, reply }, withTimes?.(map) ?? map)
    },
  )
}
