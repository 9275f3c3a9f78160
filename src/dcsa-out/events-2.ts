/**
 * /dcsa/v2/events: the moves of the account's containers as DCSA Track & Trace 2.2, from all languages of carriers.
 * Only active events are listed: an event that was replaced or withdrawn is gone, as the standard has no retraction.
 */

import type { FastifyInstance, FastifyReply } from 'fastify'
import { callerOf } from '../api/callers/request-caller.ts'
import { Problem } from '../api/errors/problem.ts'
import type { Exchange } from '../api/http/exchange.ts'
import { json } from '../api/http/media-type.ts'
import { readId } from '../api/http/path-parameters.ts'
import { writeEvent2 } from '../api/messages/event-2.ts'
import { sendText } from '../api/responses/send.ts'
import { getMove, listAccountMoves } from '../modules/transport-events/list-moves.ts'
import { writeCursor } from './cursor.ts'
import { readEvents2Query } from './events-2-query.ts'

const version2 = '2.2.0'
/** How many events of the page could not be expressed without a guess, mostly because only their day is known. */
export const omittedHeader = 'Landfall-Left-Out'

export function registerEvents2Routes(app: FastifyInstance): void {
  app.get('/dcsa/v2/events', { schema: { hide: true } }, async (request, reply) => {
    const { service, context } = callerOf(request)
    checkVersion({ request, reply })
    const eventsQuery = readEvents2Query(request.query)
    const { rows, pagePosition: cursorState } = await listAccountMoves(service, context, eventsQuery)
    const events = rows.flatMap((move) => writeEvent2(move) ?? [])
    reply.headers({
      'current-page': writeCursor(eventsQuery.query, eventsQuery.cursor?.position ?? null),
      'first-page': writeCursor(eventsQuery.query, null),
      ...(cursorState?.hasNext === true ? { 'next-page': writeCursor(eventsQuery.query, cursorState.last) } : {}),
      [omittedHeader]: String(rows.length - events.length),
    })
    return sendJson(reply, events)
  })

  app.get('/dcsa/v2/events/:eventID', { schema: { hide: true } }, async (request, reply) => {
    const { service, context } = callerOf(request)
    checkVersion({ request, reply })
    const id = readId(request.params, 'event', 'eventID')
    const event = writeEvent2(await getMove(service, context, { id }))
    if (event === null)
      throw new Problem('not_found', {
        detail: 'The DCSA standard has no code, or no form of the time, for this event. Read it in the container.',
      })
    return sendJson(reply, event)
  })
}

/** The version of the answer; refuses a request for another one, if it names one. */
export function checkVersion({ request, reply }: Exchange, version = version2): void {
  const requestedVersion = request.headers['api-version']
  reply.header('api-version', version)
  if (requestedVersion === undefined || String(requestedVersion).split('.')[0] === version.charAt(0)) return
  throw new Problem('malformed', {
    detail: `This address serves version ${version}. You can leave the header out.`,
    source: { header: 'API-Version' },
  })
}

export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return sendText(reply.header('content-type', json), JSON.stringify(value))
}
