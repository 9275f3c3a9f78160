/** /v2/shipments/:id, and its two verbs /stop_tracking and /resume_tracking. */

import type { FastifyInstance } from 'fastify'
import { requireCurrent } from '../../../../service/ground/if-current.ts'
import { getShipment } from '../../../../service/tracking/shipments/get-shipment.ts'
import { resumeTracking } from '../../../../service/tracking/shipments/resume-tracking.ts'
import { stopTracking } from '../../../../service/tracking/shipments/stop-tracking.ts'
import { updateShipment } from '../../../../service/tracking/shipments/update-shipment.ts'
import { readId } from '../../../http/path-id.ts'
import { sendOne } from '../../answering/answer.ts'
import { readIfCurrent } from '../../answering/entity-tag.ts'
import { asOfMoment, explainIfAsked, momentFilters } from '../../answering/moment.ts'
import { defineQuery } from '../../asking/query.ts'
import { checkVerbBody } from '../../bodies/body.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, operation } from '../../description/operation.ts'
import { readShipmentChanges, shipmentChangesBody } from '../../inputs/shipment.ts'

const query = defineQuery({ type: 'shipment' })
const getQuery = defineQuery({ type: 'shipment', filters: momentFilters })
const common = {
  tag: 'Shipments',
  path: { id: 'Id of the shipment.' },
  query: query.schema,
  answer: documentOf('shipment'),
}

export function shipmentsId(app: FastifyInstance): void {
  app.get(
    '/v2/shipments/:id',
    {
      schema: operation({
        ...common,
        query: getQuery.schema,
        id: 'getShipment',
        summary: 'Get a shipment',
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const view = getQuery.read(request)
      const { asOf, provenance } = view.filter
      const id = readId(request.params, 'shipment')
      return asOfMoment(request, { of: { type: 'shipment', id }, asOf }, async (caller) => {
        const data = await getShipment(caller.service, caller.context, { id })
        const explained = await explainIfAsked(caller, data, { isAsked: provenance, view })
        return sendOne({ request, reply }, { data, view, caller, provenance: explained })
      })
    },
  )

  app.patch(
    '/v2/shipments/:id',
    {
      config: { hasPrecondition: true },
      schema: operation({
        ...common,
        id: 'updateShipment',
        summary: 'Change the reference numbers and tags of a shipment',
        body: shipmentChangesBody,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = readId(request.params, 'shipment')
      const changes = readShipmentChanges(request.body, id)
      const ifCurrent = readIfCurrent(request)
      if (changes !== null) await updateShipment(service, context, { id, ...changes, ifCurrent })
      else if (ifCurrent !== null) requireCurrent(ifCurrent, await getShipment(service, context, { id }))
      return sendOne({ request, reply }, { data: await getShipment(service, context, { id }), view })
    },
  )

  for (const [verb, summary, act] of [
    ['stop_tracking', 'Stop tracking a shipment', stopTracking],
    ['resume_tracking', 'Resume tracking a shipment', resumeTracking],
  ] as const) {
    const id = verb === 'stop_tracking' ? 'stopTracking' : 'resumeTracking'
    app.patch(
      `/v2/shipments/:id/${verb}`,
      {
        config: { hasPrecondition: true },
        schema: operation({
          ...common,
          id,
          summary,
          description: 'Idempotent. The body may be empty.',
          hasOptionalBody: true,
          refusals: [409, 422],
        }),
      },
      async (request, reply) => {
        const { service, context } = callerOf(request)
        const view = query.read(request)
        const shipmentId = readId(request.params, 'shipment')
        checkVerbBody(request.body, { type: 'shipment', id: shipmentId })
        await act(service, context, { id: shipmentId, ifCurrent: readIfCurrent(request) })
        return sendOne(
          { request, reply },
          { data: await getShipment(service, context, { id: shipmentId }), view },
        )
      },
    )
  }
}
