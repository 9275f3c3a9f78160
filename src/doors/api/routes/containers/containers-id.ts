/** /v2/containers/:id: one container, the attributes that its user sets, and the verb /refresh. */

import type { FastifyInstance, FastifyReply } from 'fastify'
import { requireCurrent } from '../../../../service/ground/if-current.ts'
import {
  getContainer,
  getContainerWithShipment,
} from '../../../../service/tracking/containers/get-container.ts'
import { readPickupNumber } from '../../../../service/tracking/containers/read-pickup-number.ts'
import { refreshContainer } from '../../../../service/tracking/containers/refresh-container.ts'
import { updateContainer } from '../../../../service/tracking/containers/update-container.ts'
import type { Caller } from '../../../documents/following/caller.ts'
import * as schema from '../../../documents/shape/schema.ts'
import { writeIfTime } from '../../../documents/shape/whole-times.ts'
import type { Exchange } from '../../../http/exchange.ts'
import { readId } from '../../../http/path-id.ts'
import { sendOne, sendPlain, type View } from '../../answering/answer.ts'
import { readIfCurrent } from '../../answering/entity-tag.ts'
import { asOfMoment, explainIfAsked, momentFilters } from '../../answering/moment.ts'
import { defineQuery, refuseParameters } from '../../asking/query.ts'
import { checkVerbBody } from '../../bodies/body.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, operation } from '../../description/operation.ts'
import { containerChangesBody, readContainerChanges } from '../../inputs/container.ts'

export const containerQuery = defineQuery({ type: 'container' })
const getQuery = defineQuery({ type: 'container', filters: momentFilters })
const common = { tag: 'Containers', path: { id: 'Id of the container.' } }

export function containersId(app: FastifyInstance): void {
  app.get(
    '/v2/containers/:id',
    {
      schema: operation({
        ...common,
        id: 'getContainer',
        summary: 'Get a container',
        query: getQuery.schema,
        answer: documentOf('container'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const view = getQuery.read(request)
      const { asOf, provenance } = view.filter
      const id = readId(request.params, 'container')
      return asOfMoment(request, { of: { type: 'container', id }, asOf }, (caller) =>
        sendContainer({ request, reply }, caller, { id, view, provenance }),
      )
    },
  )

  app.patch(
    '/v2/containers/:id',
    {
      config: { hasPrecondition: true },
      schema: operation({
        ...common,
        id: 'updateContainer',
        summary: 'Change the reference numbers of a container, or report that it was delivered',
        query: containerQuery.schema,
        body: containerChangesBody,
        answer: documentOf('container'),
      }),
    },
    async (request, reply) =>
      changeContainer({ request, reply }, { params: request.params, view: containerQuery.read(request) }),
  )

  app.get(
    '/v2/containers/:id/pickup_number',
    {
      config: { isKeptByNobody: true },
      schema: operation({
        ...common,
        id: 'getPickupNumber',
        summary: 'Get the pick-up number of a container',
        description:
          'Whoever has the number can pick up the cargo. So no other answer shows it, and the first reading by each caller is recorded in the audit log. It comes from people of the account, from its channels and documents, or from a channel of the installation that the operator assigned to the account.',
        answer: schema.object(
          {
            pickup_number: schema.textOrNull({ description: 'Null where nobody told this account.' }),
            said_by: schema.anyOf([
              schema.object({ kind: schema.text(), code: schema.text() }),
              schema.nothing(),
            ]),
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
      const { number, source, saidAt } = await readPickupNumber(service, context, { containerId })
      // Only the kind and code of the source are shown. Who entered a value by hand is shown by the statements.
      const saidBy = source === null ? null : { kind: source.kind, code: source.code }
      return sendPlain(
        { request, reply },
        { pickup_number: number, said_by: saidBy, said_at: writeIfTime(saidAt) },
      )
    },
  )

  app.patch(
    '/v2/containers/:id/refresh',
    {
      config: { bucket: 'refresh' },
      schema: operation({
        ...common,
        id: 'refreshContainer',
        summary: 'Ask the sources of a container now',
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
  asked: { readonly params: unknown; readonly view: View },
): Promise<FastifyReply> {
  const caller = callerOf(exchange.request)
  const { service, context } = caller
  const id = readId(asked.params, 'container')
  const changes = readContainerChanges(exchange.request.body, id)
  const ifCurrent = readIfCurrent(exchange.request)
  if (changes !== null) await updateContainer(service, context, { id, ...changes, ifCurrent })
  else if (ifCurrent !== null) requireCurrent(ifCurrent, await getContainer(service, context, { id }))
  return sendContainer(exchange, caller, { id, view: asked.view })
}

/** A container with its shipment is one query. Without the shipment a smaller query is enough. */
async function sendContainer(
  exchange: Exchange,
  caller: Caller,
  asked: { readonly id: string; readonly view: View; readonly provenance?: boolean | null },
): Promise<FastifyReply> {
  const { service, context } = caller
  const { id, view, provenance: isAsked = null } = asked
  if (view.include?.['shipment'] === undefined || isAsked === true) {
    const container = await getContainer(service, context, { id })
    const provenance = await explainIfAsked(caller, container, { isAsked, view })
    return sendOne(exchange, { data: container, view, caller, provenance })
  }
  const whole = await getContainerWithShipment(service, context, { id })
  return sendOne(exchange, { data: whole.container, view, caller, known: [whole.shipment], whole })
}
