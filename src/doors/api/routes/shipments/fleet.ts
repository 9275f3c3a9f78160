/** /v2/fleet: everything under way on one map, with the filters of the list of shipments. */

import type { FastifyInstance } from 'fastify'
import { readFieldFilters } from '../../../../service/tracking/custom-fields/read-field-filters.ts'
import { getFleet } from '../../../../service/tracking/routes/get-fleet.ts'
import { fleetSchema, writeFleet } from '../../../documents/resources/journeys/fleet.ts'
import { timesWriter } from '../../../documents/shape/whole-times.ts'
import { sendPlain } from '../../answering/answer.ts'
import { defineFilters } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { operation } from '../../description/operation.ts'
import { shipmentFilters } from './shipments.ts'

const query = defineFilters(shipmentFilters)
const withTimes = timesWriter(fleetSchema)

export function fleet(app: FastifyInstance): void {
  app.get(
    '/v2/fleet',
    {
      schema: operation({
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
