/**
 * /dcsa/v3/events: the same moves as DCSA Track & Trace 3.0, where the operator has switched it on. A move that was
 * withdrawn is listed as retracted; one that was corrected has its last content.
 */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../api/callers/request-caller.ts'
import { parameterFault } from '../api/errors/problem.ts'
import { writeEvent3 } from '../api/messages/event-3.ts'
import { listAccountMoves, type MoveQuery } from '../modules/transport-events/list-moves.ts'
import { selectEventNames } from './chosen-events.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { checkVersion, omittedHeader, sendJson } from './events-2.ts'
import { readParameters } from './parameters.ts'

const version = '3.0.0'
const types = ['SHIPMENT', 'TRANSPORT', 'EQUIPMENT', 'IOT', 'REEFER'] as const
const [updatedFrom, updatedTo] = ['eventUpdatedDateTimeMin', 'eventUpdatedDateTimeMax'] as const
const bases = ['carrierBookingReference', 'transportDocumentReference', 'equipmentReference'] as const
const names = [...bases, 'eventTypes', updatedFrom, updatedTo, 'limit', 'cursor']

export function registerEvents3Routes(app: FastifyInstance): void {
  app.get('/dcsa/v3/events', { schema: { hide: true } }, async (request, reply) => {
    const { service, context } = callerOf(request)
    checkVersion({ request, reply }, version)
    const { query, ...listQuery } = readEvents3Query(request.query)
    const { rows, pagePosition: cursorState } = await listAccountMoves(service, context, listQuery)
    const events = rows.flatMap((move) => writeEvent3(move, move.invalidatedAt !== null) ?? [])
    reply.header(omittedHeader, String(rows.length - events.length))
    if (cursorState?.hasNext === true) reply.header('next-page-cursor', writeCursor(query, cursorState.last))
    return sendJson(reply, { events })
  })
}

function readEvents3Query(given: unknown): MoveQuery & { readonly query: ReturnType<typeof readCursor>['query'] } {
  const { query, cursor } = readCursor(given as ReturnType<typeof readCursor>['query'])
  const parameters = readParameters(query, names)
  const [bookingNumber, billOfLadingNumber, number] = [
    parameters.text('carrierBookingReference', 35),
    parameters.text('transportDocumentReference', 50),
    parameters.text('equipmentReference', 15)?.toUpperCase() ?? null,
  ]
  if (bookingNumber === null && billOfLadingNumber === null && number === null)
    throw parameterFault('malformed', bases[0], `Name at least one of ${bases.join(', ')}.`)
  const events = selectEventNames({
    types: parameters.list('eventTypes', types),
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
      updatedAt: {
        start: parameters.moment(updatedFrom)?.first ?? null,
        end: parameters.moment(updatedTo)?.last ?? null,
      },
    },
    isDescending: false,
    limit: parameters.whole('limit', { max: 1_000, fallback: 1_000 }),
    cursor,
    withRetracted: true,
  }
}
