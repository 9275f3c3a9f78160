/** /v2/shipments/:id/expectations: what should happen next to each container of a shipment. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, pageOf } from '../../api/openapi/operation.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendPage } from '../../api/responses/send.ts'
import { listExpectations } from './list-expectations.ts'

const query = defineQuery({ type: 'expectation', isPaged: true })

export function shipmentsIdExpectations(app: FastifyInstance): void {
  app.get(
    '/v2/shipments/:id/expectations',
    {
      schema: describeOperation({
        id: 'listShipmentExpectations',
        tag: 'Shipments',
        summary: 'List what should happen next to the containers of a shipment',
        description:
          'For each container the next event, how long it usually takes, and since when it is overdue. A container is not listed if it has not sailed, has come back or is no longer tracked, or if nobody can say how long its next event takes.',
        path: { id: 'Id of the shipment.' },
        query: query.schema,
        answer: pageOf('expectation'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const parameters = query.read(request)
      const shipmentId = readId(request.params, 'shipment')
      const page = await listExpectations(service, context, { shipmentId, page: parameters.page })
      return sendPage({ request, reply }, { page, pageRequest: parameters.page, view: parameters })
    },
  )
}
