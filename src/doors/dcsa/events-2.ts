/**
 * /dcsa/v2/events: the moves of the account's boxes as DCSA Track & Trace 2.2, whatever the carriers spoke. Only what
 * stands is listed: an event that was replaced or withdrawn is gone, as the standard has no retraction.
 */

import type { FastifyInstance, FastifyReply } from 'fastify'
import { getMove, listAccountMoves } from '../../service/telling/moves/list-moves.ts'
import { sendText } from '../api/answering/answer.ts'
import { callerOf } from '../api/caller/caller.ts'
import type { Exchange } from '../http/exchange.ts'
import { json } from '../http/media-type.ts'
import { readId } from '../http/path-id.ts'
import { Problem } from '../http/problem.ts'
import { writeEvent2 } from '../messages/event-2.ts'
import { writeCursor } from './cursor.ts'
import { readEvents2 } from './events-2-query.ts'

const version2 = '2.2.0'
/** How many events of the page could not be told without a guess, mostly because only their day is known. */
export const leftOutHeader = 'Landfall-Left-Out'

export function events2(app: FastifyInstance): void {
  app.get('/dcsa/v2/events', { schema: { hide: true } }, async (request, reply) => {
    const { service, context } = callerOf(request)
    checkVersion({ request, reply })
    const asked = readEvents2(request.query)
    const { rows, stand } = await listAccountMoves(service, context, asked)
    const events = rows.flatMap((move) => writeEvent2(move) ?? [])
    reply.headers({
      'current-page': writeCursor(asked.query, asked.cursor?.position ?? null),
      'first-page': writeCursor(asked.query, null),
      ...(stand?.hasNext === true ? { 'next-page': writeCursor(asked.query, stand.last) } : {}),
      [leftOutHeader]: String(rows.length - events.length),
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
        detail:
          'The standard has no code, or no form for the time, of what this event says. See it in the container.',
      })
    return sendJson(reply, event)
  })
}

/** The version of the answer; refuses a request for another one, if it names one. */
export function checkVersion({ request, reply }: Exchange, version = version2): void {
  const asked = request.headers['api-version']
  reply.header('api-version', version)
  if (asked === undefined || String(asked).split('.')[0] === version.charAt(0)) return
  throw new Problem('malformed', {
    detail: `This address speaks version ${version}. The header may be left out.`,
    source: { header: 'API-Version' },
  })
}

export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return sendText(reply.header('content-type', json), JSON.stringify(value))
}
