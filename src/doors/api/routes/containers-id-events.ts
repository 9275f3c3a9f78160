/** /v2/containers/:id/transport_events and /raw_events: what is believed to have happened, and what was said. */

import type { FastifyInstance } from 'fastify'
import { explainTransportEvents } from '../../../service/proving/explain/explain-events.ts'
import { pageRawEvents } from '../../../service/proving/raw-events/list-raw-events.ts'
import { getContainer } from '../../../service/tracking/containers/get-container.ts'
import { pageTransportEvents } from '../../../service/tracking/transport-events/list-transport-events.ts'
import { sendPage } from '../answer.ts'
import { callerOf } from '../caller.ts'
import { booleanFilter } from '../filters.ts'
import { asOfMoment, momentFilters } from '../moment.ts'
import { operation, pageOf } from '../operation.ts'
import { readId } from '../path-id.ts'
import { defineQuery } from '../query.ts'
import { explainReading } from '../resources/provenance.ts'

const transportQuery = defineQuery({
  type: 'transport_event',
  filters: {
    withInvalidated: booleanFilter('show_invalidated', 'Also what was replaced or withdrawn since.'),
    ...momentFilters,
  },
  isPaged: true,
  includes: 'location,vessel,terminal',
})
const rawQuery = defineQuery({
  type: 'raw_event',
  filters: { asOf: momentFilters.asOf },
  isPaged: true,
  includes: 'location,vessel,terminal',
})
const common = { tag: 'Containers', path: { id: 'Id of the container.' } }

export function containersIdEvents(app: FastifyInstance): void {
  app.get(
    '/v2/containers/:id/transport_events',
    {
      schema: operation({
        ...common,
        id: 'listTransportEvents',
        summary: 'List the transport events of a container',
        description:
          'What stands today, in order. An event that was replaced is reached as `previous_version`; `show_invalidated=true` lists it too, and what was withdrawn.',
        query: transportQuery.schema,
        answer: pageOf('transport_event'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const view = transportQuery.read(request)
      const { asOf, provenance, withInvalidated } = view.filter
      const id = readId(request.params, 'container')
      return asOfMoment(request, { of: { type: 'container', id }, asOf }, async () => {
        const { service, context } = callerOf(request)
        const { shipmentId } = await getContainer(service, context, { id })
        const page = await pageTransportEvents(service, context, {
          containerId: id,
          withInvalidated: withInvalidated ?? false,
          page: view.page,
        })
        if (provenance === true) {
          const explained = await explainTransportEvents(service, context, { shipmentId, events: page.rows })
          for (const event of page.rows) explainReading(event, [explained.get(event.id) ?? []].flat())
        }
        return sendPage({ request, reply }, { page, asked: view.page, view })
      })
    },
  )

  app.get(
    '/v2/containers/:id/raw_events',
    {
      schema: operation({
        ...common,
        id: 'listRawEvents',
        summary: 'List everything that any source said about a container',
        description: 'Past and expected, also what was withdrawn since, in `index` order.',
        query: rawQuery.schema,
        answer: pageOf('raw_event'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const view = rawQuery.read(request)
      const { asOf } = view.filter
      const id = readId(request.params, 'container')
      return asOfMoment(request, { of: { type: 'container', id }, asOf }, async () => {
        const { service, context } = callerOf(request)
        const container = await getContainer(service, context, { id })
        const page = await pageRawEvents(service, context, { containerId: container.id, page: view.page })
        return sendPage({ request, reply }, { page, asked: view.page, view })
      })
    },
  )
}
