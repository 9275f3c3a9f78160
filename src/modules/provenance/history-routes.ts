/**
 * /v2/shipments/:id/history and /v2/containers/:id/history: what changed, when, and which source or person caused it.
 */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { attributesOf } from '../../api/json-api/document.ts'
import { describeOperation, pageOf } from '../../api/openapi/operation.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendPage } from '../../api/responses/send.ts'
import { listHistory } from './list-history.ts'

const query = defineQuery({ type: 'change', isPaged: true })

export function history(app: FastifyInstance): void {
  for (const [type, tag, id] of [
    ['shipment', 'Shipments', 'listShipmentHistory'],
    ['container', 'Containers', 'listContainerHistory'],
  ] as const) {
    app.get(
      `/v2/${type}s/:id/history`,
      {
        schema: describeOperation({
          id,
          tag,
          summary: `List the changes of a ${type}, newest first`,
          description:
            'Computed from the stored input: for each input, the values before and after, the source of the change, and the events that were sent.',
          path: { id: `Id of the ${type}.` },
          query: query.schema,
          answer: pageOf('change'),
          refusals: [422],
        }),
      },
      async (request, reply) => {
        const { service, context } = callerOf(request)
        const parameters = query.read(request)
        const of = { type, id: readId(request.params, type) }
        const page = await listHistory(service, context, { of, page: parameters.page, show: attributesOf })
        return sendPage({ request, reply }, { page, pageRequest: parameters.page, view: parameters })
      },
    )
  }
}
