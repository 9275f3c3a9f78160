/**
 * /v2/shipments/:id/history and /v2/containers/:id/history: what changed, when, and which source or person caused it.
 */

import type { FastifyInstance } from 'fastify'
import { listHistory } from '../../../service/proving/explain/list-history.ts'
import { attributesOf } from '../../documents/document.ts'
import { readId } from '../../http/path-id.ts'
import { sendPage } from '../answering/answer.ts'
import { defineQuery } from '../asking/query.ts'
import { callerOf } from '../caller/caller.ts'
import { operation, pageOf } from '../description/operation.ts'

const query = defineQuery({ type: 'change', isPaged: true })

export function history(app: FastifyInstance): void {
  for (const [type, tag, id] of [
    ['shipment', 'Shipments', 'listShipmentHistory'],
    ['container', 'Containers', 'listContainerHistory'],
  ] as const) {
    app.get(
      `/v2/${type}s/:id/history`,
      {
        schema: operation({
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
        const asked = query.read(request)
        const of = { type, id: readId(request.params, type) }
        const page = await listHistory(service, context, { of, page: asked.page, show: attributesOf })
        return sendPage({ request, reply }, { page, asked: asked.page, view: asked })
      },
    )
  }
}
