/** /v2/shipments/:id/etas: every time of arrival that was ever predicted for a shipment. */

import type { FastifyInstance } from 'fastify'
import { listEtas } from '../../../../service/tracking/shipments/list-etas.ts'
import { readId } from '../../../http/path-id.ts'
import { sendPage } from '../../answering/answer.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { operation, pageOf } from '../../description/operation.ts'

const query = defineQuery({ type: 'shipment_eta', isPaged: true })

export function shipmentsIdEtas(app: FastifyInstance): void {
  app.get(
    '/v2/shipments/:id/etas',
    {
      schema: operation({
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
      const asked = query.read(request)
      const shipmentId = readId(request.params, 'shipment')
      const page = await listEtas(service, context, { shipmentId, page: asked.page })
      return sendPage({ request, reply }, { page, asked: asked.page, view: asked })
    },
  )
}
