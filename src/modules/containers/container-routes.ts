/** /v2/containers/:id: one container, the attributes that its user sets, and the verb /refresh. */

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Caller } from '../../api/callers/caller.ts'
import { callerOf } from '../../api/callers/request-caller.ts'
import type { Exchange } from '../../api/http/exchange.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer } from '../../api/openapi/operation.ts'
import { defineQuery, refuseParameters } from '../../api/query/query.ts'
import { checkVerbBody } from '../../api/request-body/body.ts'
import { answerAsOf, explainIfRequested, momentFilters } from '../../api/responses/as-of.ts'
import { readIfCurrent } from '../../api/responses/entity-tag.ts'
import { sendOne, sendPlain, type View } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { writeIfTime } from '../../api/shape/whole-times.ts'
import { requireCurrent } from '../require-current.ts'
import { containerChangesBody, readContainerChanges } from './container-input.ts'
import { getContainer, getContainerWithShipment } from './get-container.ts'
import { readPickupNumber } from './read-pickup-number.ts'
import { refreshContainer } from './refresh-container.ts'
import { updateContainer } from './update-container.ts'

export const containerQuery = defineQuery({ type: 'container' })
const getQuery = defineQuery({ type: 'container', filters: momentFilters })
const common = { tag: 'Containers', path: { id: 'Id of the container.' } }

export function containersId(app: FastifyInstance): void {
  app.get(
    '/v2/containers/:id',
    {
      schema: describeOperation({
        ...common,
        id: 'getContainer',
        summary: 'Get a container',
        query: getQuery.schema,
        answer: documentAnswer('container'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const view = getQuery.read(request)
      const { asOf, provenance } = view.filter
      const id = readId(request.params, 'container')
      return answerAsOf(request, { of: { type: 'container', id }, asOf }, (caller) =>
        sendContainer({ request, reply }, caller, { id, view, provenance }),
      )
    },
  )

  app.patch(
    '/v2/containers/:id',
    {
      config: { hasPrecondition: true },
      schema: describeOperation({
        ...common,
        id: 'updateContainer',
        summary: 'Change the reference numbers of a container, or report that it was delivered',
        query: containerQuery.schema,
        body: containerChangesBody,
        answer: documentAnswer('container'),
      }),
    },
    async (request, reply) =>
      changeContainer({ request, reply }, { params: request.params, view: containerQuery.read(request) }),
  )

  app.get(
    '/v2/containers/:id/pickup_number',
    {
      config: { isNeverStored: true },
      schema: describeOperation({
        ...common,
        id: 'getPickupNumber',
        summary: 'Get the pick-up number of a container',
        description:
          'Whoever has the number can pick up the cargo. So no other answer shows it, and the first reading by each caller is recorded in the audit log. It comes from people of the account, from its channels and documents, or from a channel of the installation that the operator assigned to the account.',
        answer: schema.object(
          {
            pickup_number: schema.textOrNull({ description: 'Null if this account has not received the number.' }),
            said_by: schema.anyOf([schema.object({ kind: schema.text(), code: schema.text() }), schema.nothing()]),
            said_at: schema.instantOrNull(),
          },
          { description: 'What stands.' },
        ),
        refusals: [403],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      const containerId = readId(request.params, 'container')
      const { number, source, statedAt } = await readPickupNumber(service, context, { containerId })
      // Only the kind and code of the source are shown. The statements show who entered a value by hand.
      const publicSource = source === null ? null : { kind: source.kind, code: source.code }
      return sendPlain(
        { request, reply },
        { pickup_number: number, said_by: publicSource, said_at: writeIfTime(statedAt) },
      )
    },
  )

  app.patch(
    '/v2/containers/:id/refresh',
    {
      config: { bucket: 'refresh' },
      schema: describeOperation({
        ...common,
        id: 'refreshContainer',
        summary: 'Poll the sources of a container now',
        description: 'The body may be empty.',
        hasOptionalBody: true,
        refusals: [409, 422],
        answer: schema.object({ message: schema.text() }, { description: 'What is done.' }),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      const id = readId(request.params, 'container')
      checkVerbBody(request.body, { type: 'container', id })
      return sendPlain({ request, reply }, await refreshContainer(service, context, { id }))
    },
  )
}

export async function changeContainer(
  exchange: Exchange,
  parameters: { readonly params: unknown; readonly view: View },
): Promise<FastifyReply> {
  const caller = callerOf(exchange.request)
  const { service, context } = caller
  const id = readId(parameters.params, 'container')
  const changes = readContainerChanges(exchange.request.body, id)
  const ifCurrent = readIfCurrent(exchange.request)
  if (changes !== null) await updateContainer(service, context, { id, ...changes, ifCurrent })
  else if (ifCurrent !== null) requireCurrent(ifCurrent, await getContainer(service, context, { id }))
  return sendContainer(exchange, caller, { id, view: parameters.view })
}

/** A container with its shipment is one query. Without the shipment a smaller query is enough. */
async function sendContainer(
  exchange: Exchange,
  caller: Caller,
  options: { readonly id: string; readonly view: View; readonly provenance?: boolean | null },
): Promise<FastifyReply> {
  const { service, context } = caller
  const { id, view, provenance: isRequested = null } = options
  if (view.include?.['shipment'] === undefined || isRequested === true) {
    const container = await getContainer(service, context, { id })
    const provenance = await explainIfRequested(caller, container, { isRequested, view })
    return sendOne(exchange, { data: container, view, caller, provenance })
  }
  const whole = await getContainerWithShipment(service, context, { id })
  return sendOne(exchange, { data: whole.container, view, caller, known: [whole.shipment], whole })
}
