/** /v2/containers/:id/route and /map_geojson: the way of a container as data, and as lines to draw on a map. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer } from '../../api/openapi/operation.ts'
import { defineQuery, refuseParameters } from '../../api/query/query.ts'
import { sendOne, sendPlain } from '../../api/responses/send.ts'
import { timesWriter } from '../../api/shape/whole-times.ts'
import { containerMapSchema, writeContainerMap } from './container-map-resource.ts'
import { getContainerMap } from './get-container-map.ts'
import { getContainerRoute } from './get-container-route.ts'

const routeQuery = defineQuery({
  type: 'route',
  includes: 'route_locations',
  // Clients name the types that they want: `include=port,vessel,route_location`.
  includeAliases: {
    port: 'route_locations.port,route_locations.location',
    vessel: 'route_locations.inbound_vessel,route_locations.outbound_vessel',
    route_location: 'route_locations',
  },
})
const common = { tag: 'Containers', path: { id: 'Id of the container.' } }

const withTimes = timesWriter(containerMapSchema)

export function containersIdRoute(app: FastifyInstance): void {
  app.get(
    '/v2/containers/:id/route',
    {
      schema: describeOperation({
        ...common,
        id: 'getContainerRoute',
        summary: 'Get the route of a container',
        description:
          'Every place on the way of the container, in order; planned places too. `port`, `vessel` and `route_location` may be included by these names. 404 while no source has named a place.',
        query: routeQuery.schema,
        answer: documentAnswer('route'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = routeQuery.read(request)
      const data = await getContainerRoute(service, context, { id: readId(request.params, 'container') })
      return sendOne({ request, reply }, { data, view })
    },
  )

  app.get(
    '/v2/containers/:id/map_geojson',
    {
      schema: describeOperation({
        ...common,
        id: 'getContainerMap',
        summary: 'Get the route of a container as GeoJSON',
        description:
          'Ports, earlier positions of the vessel, its present position (`estimated`: calculated along the route), and the way ahead. Places without a known position and legs without a known way by sea are not included; so the list can be empty.',
        answer: containerMapSchema,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      const id = readId(request.params, 'container')
      const map = writeContainerMap(await getContainerMap(service, context, { id }))
      return sendPlain({ request, reply }, withTimes?.(map) ?? map)
    },
  )
}
