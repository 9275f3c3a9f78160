/** /v2/shipments/:id, and its two verbs /stop_tracking and /resume_tracking. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer } from '../../api/openapi/operation.ts'
import { defineQuery } from '../../api/query/query.ts'
import { checkVerbBody } from '../../api/request-body/body.ts'
import { answerAsOf, explainIfRequested, momentFilters } from '../../api/responses/as-of.ts'
import { readIfCurrent } from '../../api/responses/entity-tag.ts'
import { sendOne } from '../../api/responses/send.ts'
import { requireCurrent } from '../require-current.ts'
import { getShipment } from './get-shipment.ts'
import { resumeTracking } from './resume-tracking.ts'
import { readShipmentChanges, shipmentChangesBody } from './shipment-input.ts'
import { partiesFlag } from './shipments-routes.ts'
import { stopTracking } from './stop-tracking.ts'
import { updateShipment } from './update-shipment.ts'

const query = defineQuery({ type: 'shipment' })
const getQuery = defineQuery({ type: 'shipment', filters: { ...momentFilters, showsParties: partiesFlag } })
const common = () => ({
  tag: 'Shipments',
  path: { id: 'Id of the shipment.' },
  query: query.schema,
  answer: documentAnswer('shipment'),
})

export function shipmentsId(app: FastifyInstance): void {
  app.get(
    '/v2/shipments/:id',
    {
      schema: describeOperation({
        ...common(),
        query: getQuery.schema,
        id: 'getShipment',
        summary: 'Get a shipment',
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const query = getQuery.read(request)
      const { asOf, provenance, showsParties } = query.filter
      const view = { ...query, linked: showsParties === true ? ['party_roles'] : [] }
      const id = readId(request.params, 'shipment')
      return answerAsOf(request, { of: { type: 'shipment', id }, asOf }, async (caller) => {
        const data = await getShipment(caller.service, caller.context, { id })
        const explained = await explainIfRequested(caller, data, { isRequested: provenance, view })
        return sendOne({ request, reply }, { data, view, caller, provenance: explained })
      })
    },
  )

  app.patch(
    '/v2/shipments/:id',
    {
      config: { hasPrecondition: true },
      schema: describeOperation({
        ...common(),
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
        schema: describeOperation({
          ...common(),
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
        return sendOne({ request, reply }, { data: await getShipment(service, context, { id: shipmentId }), view })
      },
    )
  }
}
