/**
 * /v2/vessels/:id/future_positions and /future_positions_with_coordinates: where a ship is expected, minute by minute.
 */

import type { FastifyInstance, FastifyReply } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import type { Exchange } from '../../api/http/exchange.ts'
import { readPathParameter } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer } from '../../api/openapi/operation.ts'
import { degreesFilter, idFilter, requireFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendOne, type View } from '../../api/responses/send.ts'
import { parseImoNumber } from '../../domain/values/identifiers.ts'
import { findVesselById } from '../../reference/vessels.ts'
import { notFound } from '../errors.ts'
import { type FuturePositionsInput, listFuturePositions, positionsMax } from './list-future-positions.ts'
import { readVessel } from './vessel-resource.ts'

const ports = {
  portId: requireFilter('port_id', idFilter('port_id', 'The port to which the vessel sails.')),
  previousPortId: requireFilter('previous_port_id', idFilter('previous_port_id', 'The port that it has left.')),
}
const query = defineQuery({ type: 'vessel', filters: ports })
const coordinatesQuery = defineQuery({
  type: 'vessel',
  filters: {
    ...ports,
    latitude: requireFilter('latitude', degreesFilter('latitude', 90)),
    longitude: requireFilter('longitude', degreesFilter('longitude', 180)),
  },
})
const common = () => ({
  tag: 'Vessels',
  path: { id: 'Id of the vessel, or its IMO number.' },
  answer: documentAnswer('vessel'),
  refusals: [422],
})
const how = `One position for each minute from now (or from the departure) until the arrival, at constant speed along the way by sea. Departure and arrival are those of your containers on board. At most ${positionsMax} positions (one week). 404 if none of your containers is on that leg.`

export function vesselsIdFuturePositions(app: FastifyInstance): void {
  app.get(
    '/v2/vessels/:id/future_positions',
    {
      schema: describeOperation({
        ...common(),
        id: 'getFuturePositions',
        summary: 'Get the expected positions of a vessel',
        description: `${how} The way begins at the last known position of the vessel, else at the port that it left.`,
        query: query.schema,
      }),
    },
    async (request, reply) => {
      const imo = readImo(request.params)
      const { filter, ...view } = query.read(request)
      return sendPositions({ request, reply }, { imo, ...filter, point: null, view })
    },
  )

  app.get(
    '/v2/vessels/:id/future_positions_with_coordinates',
    {
      schema: describeOperation({
        ...common(),
        id: 'getFuturePositionsWithCoordinates',
        summary: 'Get the expected positions of a vessel from given coordinates',
        description: `${how} The way begins at the coordinates that you give.`,
        query: coordinatesQuery.schema,
      }),
    },
    async (request, reply) => {
      const imo = readImo(request.params)
      const { filter, ...view } = coordinatesQuery.read(request)
      const { latitude, longitude, ...ids } = filter
      return sendPositions({ request, reply }, { imo, ...ids, point: { latitude, longitude }, view })
    },
  )
}

async function sendPositions(
  exchange: Exchange,
  parameters: FuturePositionsInput & { readonly view: View },
): Promise<FastifyReply> {
  const { service, context } = callerOf(exchange.request)
  const { view, ...input } = parameters
  const vessel = readVessel(input.imo, null)
  if (vessel === null) throw notFound('vessel')
  const { positions } = await listFuturePositions(service, context, input)
  const data = { ...vessel, positions: positions.map((position) => ({ ...position, estimated: true })) }
  return sendOne(exchange, { data, view })
}

function readImo(params: unknown): string {
  const text = readPathParameter(params, 'id')
  const number = parseImoNumber(text)
  const imo = number.ok ? number.value : (findVesselById(text)?.imo ?? null)
  if (imo === null) throw notFound('vessel')
  return imo
}
