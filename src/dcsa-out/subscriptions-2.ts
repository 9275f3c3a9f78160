/**
 * /dcsa/v2/event-subscriptions: an address of the client gets each event when it is known, signed with the secret that
 * the client gave. Only events that it has not received before are sent: the standard has no retraction.
 */

import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { callerOf } from '../api/callers/request-caller.ts'
import { parameterFault, pointerFault } from '../api/errors/problem.ts'
import { readId } from '../api/http/path-parameters.ts'
import { readObject } from '../api/request-body/body.ts'
import { equipmentEventCodes, shipmentEventCodes, transportEventCodes } from '../domain/values/codes.ts'
import { readCallId, toKnownUnlocode } from '../modules/transport-events/move-statement.ts'
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  listSubscriptions,
  replaceSubscription,
  replaceSubscriptionSecret,
  type Subscription,
} from '../modules/webhooks/standard-subscriptions.ts'
import type { WebhookMoveFilter } from '../modules/webhooks/webhooks-sql.ts'
import { Type } from '../platform/json-schema.ts'
import { eventTypes, selectEventNames } from './chosen-events.ts'
import { checkVersion, sendJson } from './events-2.ts'
import { documentTypes } from './events-2-query.ts'
import { readParameters } from './parameters.ts'

function listOf(values: readonly string[]) {
  return Type.Optional(Type.Array(Type.Unsafe<string>({ type: 'string', enum: values }), { maxItems: 50 }))
}
function textOf(maxLength: number) {
  return Type.Optional(Type.String({ minLength: 1, maxLength }))
}

const filters = {
  eventType: listOf(eventTypes),
  shipmentEventTypeCode: listOf(shipmentEventCodes),
  documentTypeCode: listOf(documentTypes),
  carrierBookingReference: textOf(35),
  bookingReference: textOf(35),
  transportDocumentReference: textOf(50),
  transportEventTypeCode: listOf(transportEventCodes),
  transportCallID: textOf(100),
  vesselIMONumber: textOf(10),
  carrierVoyageNumber: textOf(50),
  exportVoyageNumber: textOf(50),
  carrierServiceCode: textOf(5),
  UNLocationCode: textOf(5),
  equipmentEventTypeCode: listOf(equipmentEventCodes),
  equipmentReference: textOf(15),
}
const closed = { additionalProperties: false }
const callbackUrl = Type.String({ maxLength: 2_048 })
const secret = Type.String({ minLength: 1, maxLength: 800 })
const newBody = Type.Object({ callbackUrl, secret, ...filters }, closed)
/** Some clients send back what they have read. */
const replacedBody = Type.Object({ subscriptionID: Type.Optional(Type.String()), callbackUrl, ...filters }, closed)
const secretBody = Type.Object({ secret }, closed)
type Filters = Omit<Static<typeof newBody>, 'callbackUrl' | 'secret'>

const address = '/dcsa/v2/event-subscriptions'
const hidden = { schema: { hide: true } } as const

export function registerSubscriptions2Routes(app: FastifyInstance): void {
  app.get(address, hidden, async (request, reply) => {
    const { service, context } = callerOf(request)
    checkVersion({ request, reply })
    const parameters = readParameters(request.query, ['limit', 'cursor'])
    const limit = parameters.whole('limit', { max: 1_000, fallback: 100 })
    const from = Number(parameters.text('cursor') ?? '0')
    if (!Number.isInteger(from) || from < 0)
      throw parameterFault('malformed', 'cursor', 'Take the cursor from the header `Next-Page`.')
    const all = await listSubscriptions(service, context)
    reply.header('current-page', String(from))
    if (from + limit < all.length) reply.header('next-page', String(from + limit))
    return sendJson(reply, all.slice(from, from + limit).map(writeDcsaSubscription))
  })

  app.post(address, { ...hidden, config: { permission: 'webhooks', isInSteps: true } }, async (request, reply) => {
    const { service, context } = callerOf(request)
    checkVersion({ request, reply })
    const { callbackUrl: url, secret: given, ...parameters } = readObject(request.body, newBody)
    const made = await createSubscription(service, context, {
      url,
      secret: given,
      narrowing: narrowFilters(parameters),
    })
    reply.status(201).header('location', `${address}/${made.id}`)
    return sendJson(reply, writeDcsaSubscription(made))
  })

  app.get(`${address}/:subscriptionID`, hidden, async (request, reply) => {
    const { service, context } = callerOf(request)
    checkVersion({ request, reply })
    const id = readId(request.params, 'subscription', 'subscriptionID')
    return sendJson(reply, writeDcsaSubscription(await getSubscription(service, context, { id })))
  })

  app.put(`${address}/:subscriptionID`, { ...hidden, config: { permission: 'webhooks' } }, async (request, reply) => {
    const { service, context } = callerOf(request)
    checkVersion({ request, reply })
    const id = readId(request.params, 'subscription', 'subscriptionID')
    const { callbackUrl: url, subscriptionID = id, ...parameters } = readObject(request.body, replacedBody)
    if (subscriptionID.toLowerCase() !== id)
      throw pointerFault('conflict', '/subscriptionID', 'The address names another subscription.')
    const narrowing = narrowFilters(parameters)
    return sendJson(reply, writeDcsaSubscription(await replaceSubscription(service, context, { id, url, narrowing })))
  })

  app.delete(
    `${address}/:subscriptionID`,
    { ...hidden, config: { permission: 'webhooks' } },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      checkVersion({ request, reply })
      const id = readId(request.params, 'subscription', 'subscriptionID')
      await deleteSubscription(service, context, { id })
      return reply.status(204).send()
    },
  )

  app.put(
    `${address}/:subscriptionID/secret`,
    { ...hidden, config: { permission: 'webhooks' } },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      checkVersion({ request, reply })
      const id = readId(request.params, 'subscription', 'subscriptionID')
      const { secret: given } = readObject(request.body, secretBody)
      await replaceSubscriptionSecret(service, context, { id, secret: given })
      return reply.status(204).send()
    },
  )
}

/** The secret is never returned again. */
function writeDcsaSubscription({ id, url, narrowing }: Subscription): object {
  return { subscriptionID: id, callbackUrl: url, ...narrowing?.asked }
}

/** Refuses filters that no event of ours can match: the client would wait for ever. */
function narrowFilters(requestedFilters: Filters): WebhookMoveFilter {
  const call = requestedFilters.transportCallID === undefined ? null : readCallId(requestedFilters.transportCallID)
  if (requestedFilters.transportCallID !== undefined && call === null)
    throw pointerFault('invalid', '/transportCallID', 'Landfall has no event with such a transport call.')
  if (requestedFilters.carrierServiceCode !== undefined)
    throw pointerFault('invalid', '/carrierServiceCode', 'No source reports the carrier service of a ship.')
  const events = selectEventNames({
    types: requestedFilters.eventType ?? null,
    transport: requestedFilters.transportEventTypeCode ?? null,
    equipment: requestedFilters.equipmentEventTypeCode ?? null,
    shipment: requestedFilters.shipmentEventTypeCode ?? requestedFilters.documentTypeCode ?? null,
    callMode: call?.mode ?? null,
  })
  if (events.length === 0)
    throw pointerFault(
      'invalid',
      '/eventType',
      'No event can match. There are only TRANSPORT events (ARRI, DEPA) and EQUIPMENT events (LOAD, DISC, GTIN, GTOT).',
    )
  return {
    asked: requestedFilters,
    filter: {
      events,
      bookingNumber: requestedFilters.carrierBookingReference ?? requestedFilters.bookingReference ?? null,
      billOfLadingNumber: requestedFilters.transportDocumentReference ?? null,
      number: requestedFilters.equipmentReference ?? null,
      call,
      vesselImo: requestedFilters.vesselIMONumber ?? null,
      voyage: requestedFilters.exportVoyageNumber ?? requestedFilters.carrierVoyageNumber ?? null,
      unlocode: toKnownUnlocode(requestedFilters.UNLocationCode ?? null),
    },
  }
}
