/** /v2/shipments/:id/etas: every time of arrival that was ever predicted for a shipment. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, pageOf } from '../../api/openapi/operation.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendPage } from '../../api/responses/send.ts'
import { listEtas } from './list-etas.ts'

const query = defineQuery({ type: 'shipment_eta', isPaged: true })

export function shipmentsIdEtas(app: FastifyInstance): void {
  app.get(
    '/v2/shipments/:id/etas',
    {
      schema: describeOperation({
        id: 'listShipmentEtas',
        tag: 'Shipments',
        summary: 'List every estimated arrival of a shipment',
        description:
          "Arrivals at its port of discharge, newest first: what each source said, and when Landfall received it. Landfall's own estimates (`said_by`: `landfall`) are listed too; they never replace those of sources.",
        path: { id: 'Id of the shipment.' },
        query: query.schema,
        answer: pageOf('shipment_eta'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const parameters = query.read(request)
      const shipmentId = readId(request.params, 'shipment')
      const page = await listEtas(service, context, { shipmentId, page: parameters.page })
      return sendPage({ request, reply }, { page, pageRequest: parameters.page, view: parameters })
    },
  )
}
