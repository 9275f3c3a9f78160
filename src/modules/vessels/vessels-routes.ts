/** /v2/vessels: ships, and the positions that were received from them. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readPathParameter } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer, pageOf } from '../../api/openapi/operation.ts'
import { textFilter, windowFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendOne, sendPage } from '../../api/responses/send.ts'
import { getVessel, listVessels } from './get-vessel.ts'
import { readVesselDetails } from './vessel-resource.ts'

const query = defineQuery({
  type: 'vessel',
  filters: {
    window: windowFilter('show_positions[from_timestamp]', 'show_positions[to_timestamp]', {
      start: 'Show `positions` from this time on. If it is missing: seven days before the end.',
      end: 'Show `positions` up to this time. If it is missing: up to now.',
    }),
  },
})
const listQuery = defineQuery({
  type: 'vessel',
  filters: { q: textFilter('q', 'An IMO number, a MMSI, or words of a present or former name.') },
  isPaged: true,
})

export function vessels(app: FastifyInstance): void {
  app.get(
    '/v2/vessels',
    {
      schema: describeOperation({
        id: 'listVessels',
        tag: 'Vessels',
        summary: 'Find vessels',
        description:
          "Beyond the contract. Finds the container ships of Landfall's list. Other ships are found by their IMO number after their position was received once.",
        query: listQuery.schema,
        answer: pageOf('vessel'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const { filter, page: pageRequest, ...view } = listQuery.read(request)
      const page = await listVessels(service, context, { ...filter, page: pageRequest })
      return sendPage(
        { request, reply },
        { page: { ...page, rows: page.rows.map(readVesselDetails) }, pageRequest, view },
      )
    },
  )

  app.get(
    '/v2/vessels/:id',
    {
      schema: describeOperation({
        id: 'getVessel',
        tag: 'Vessels',
        summary: 'Get a vessel',
        description:
          '`positions` is null if no `show_positions` parameter is sent. At most the newest 10,000 positions are listed.',
        path: { id: 'Id of the vessel, or its IMO number.' },
        query: query.schema,
        answer: documentAnswer('vessel'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const { filter, ...view } = query.read(request)
      const id = readPathParameter(request.params, 'id')
      const ship = await getVessel(service, context, { idOrImo: id, window: filter.window })
      return sendOne({ request, reply }, { data: readVesselDetails(ship), view })
    },
  )
}
