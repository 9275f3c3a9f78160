/**
 * /dcsa/v3/events: the same moves as DCSA Track & Trace 3.0, where the operator has switched it on. A move that was
 * withdrawn is listed as retracted; one that was corrected has its last content.
 */

import type { FastifyInstance } from 'fastify'
import { listAccountMoves, type MovesAsked } from '../../service/telling/moves/list-moves.ts'
import { callerOf } from '../api/caller/caller.ts'
import { parameterFault } from '../http/problem.ts'
import { writeEvent3 } from '../messages/event-3.ts'
import { eventsChosen } from './chosen-events.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { checkVersion, leftOutHeader, sendJson } from './events-2.ts'
import { readParameters } from './parameters.ts'

const version = '3.0.0'
const types = ['SHIPMENT', 'TRANSPORT', 'EQUIPMENT', 'IOT', 'REEFER'] as const
const [updatedFrom, updatedTo] = ['eventUpdatedDateTimeMin', 'eventUpdatedDateTimeMax'] as const
const bases = ['carrierBookingReference', 'transportDocumentReference', 'equipmentReference'] as const
const names = [...bases, 'eventTypes', updatedFrom, updatedTo, 'limit', 'cursor']

export function events3(app: FastifyInstance): void {
  app.get('/dcsa/v3/events', { schema: { hide: true } }, async (request, reply) => {
    const { service, context } = callerOf(request)
    checkVersion({ request, reply }, version)
    const { query, ...asked } = readEvents3(request.query)
    const { rows, stand } = await listAccountMoves(service, context, asked)
    const events = rows.flatMap((move) => writeEvent3(move, move.invalidatedAt !== null) ?? [])
    reply.header(leftOutHeader, String(rows.length - events.length))
    if (stand?.hasNext === true) reply.header('next-page-cursor', writeCursor(query, stand.last))
    return sendJson(reply, { events })
  })
}

function readEvents3(
  given: unknown,
): MovesAsked & { readonly query: ReturnType<typeof readCursor>['query'] } {
  const { query, cursor } = readCursor(given as ReturnType<typeof readCursor>['query'])
  const asked = readParameters(query, names)
  const [bookingNumber, billOfLadingNumber, number] = [
    asked.text('carrierBookingReference', 35),
    asked.text('transportDocumentReference', 50),
    asked.text('equipmentReference', 15)?.toUpperCase() ?? null,
  ]
  if (bookingNumber === null && billOfLadingNumber === null && number === null)
    throw parameterFault('malformed', bases[0], `Name at least one of ${bases.join(', ')}.`)
  const events = eventsChosen({
    types: asked.list('eventTypes', types),
    transport: null,
    equipment: null,
    shipment: null,
  })
  return {
    query,
    filter: {
      events,
      bookingNumber,
      billOfLadingNumber,
      number,
      updatedAt: { start: asked.moment(updatedFrom), end: asked.moment(updatedTo) },
    },
    isDescending: false,
    limit: asked.whole('limit', { max: 1_000, fallback: 1_000 }),
    cursor,
    withRetracted: true,
  }
}
