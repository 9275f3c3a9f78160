/**
 * /v2/containers/:id/transport_events and /raw_events: what is believed to have happened, and the statements of the
 * sources.
 */

import type { FastifyInstance } from 'fastify'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, pageOf } from '../../api/openapi/operation.ts'
import { booleanFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { answerAsOf, momentFilters } from '../../api/responses/as-of.ts'
import { sendPage } from '../../api/responses/send.ts'
import { getContainer } from '../containers/get-container.ts'
import { explainTransportEvents } from '../provenance/explain-transport-events.ts'
import { pageRawEvents } from '../provenance/list-raw-events.ts'
import { pageTransportEvents } from './list-transport-events.ts'

const transportQuery = defineQuery({
  type: 'transport_event',
  filters: {
    withInvalidated: booleanFilter('show_invalidated', 'True: also lists events that were replaced or withdrawn.'),
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
      schema: describeOperation({
        ...common,
        id: 'listTransportEvents',
        summary: 'List the transport events of a container',
        description:
          'The valid events, in order. An event that was replaced is linked as `previous_version`. `show_invalidated=true` also lists replaced and withdrawn events.',
        query: transportQuery.schema,
        answer: pageOf('transport_event'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const view = transportQuery.read(request)
      const { asOf, provenance, withInvalidated } = view.filter
      const id = readId(request.params, 'container')
      return answerAsOf(request, { of: { type: 'container', id }, asOf }, async (caller) => {
        const { service, context } = caller
        const { shipmentId } = await getContainer(service, context, { id })
        const page = await pageTransportEvents(service, context, {
          containerId: id,
          withInvalidated: withInvalidated ?? false,
          page: view.page,
        })
        const explained =
          provenance === true ? await explainTransportEvents(service, context, { shipmentId, events: page.rows }) : null
        const sourcesByEvent = new Map(
          explained && page.rows.map((event) => [event, [explained.get(event.id) ?? []].flat()] as const),
        )
        return sendPage({ request, reply }, { page, pageRequest: view.page, view, caller, provenance: sourcesByEvent })
      })
    },
  )

  app.get(
    '/v2/containers/:id/raw_events',
    {
      schema: describeOperation({
        ...common,
        id: 'listRawEvents',
        summary: 'List every event that any source stated about a container',
        description: 'Past and expected events, in the order of `index`. Withdrawn events are included.',
        query: rawQuery.schema,
        answer: pageOf('raw_event'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const view = rawQuery.read(request)
      const { asOf } = view.filter
      const id = readId(request.params, 'container')
      return answerAsOf(request, { of: { type: 'container', id }, asOf }, async (caller) => {
        const { service, context } = caller
        const container = await getContainer(service, context, { id })
        const page = await pageRawEvents(service, context, { containerId: container.id, page: view.page })
        return sendPage({ request, reply }, { page, pageRequest: view.page, view, caller })
      })
    },
  )
}
