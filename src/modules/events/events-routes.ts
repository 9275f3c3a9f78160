/**
 * /v2/events: everything that happened to the account's shipments, numbered; as pages, by waiting for the next, or as a
 * stream.
 */

import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { identifyCaller } from '../../api/callers/identify-caller.ts'
import { createOpenStreams, type OpenStreams } from '../../api/callers/open-streams.ts'
import { callerOf } from '../../api/callers/request-caller.ts'
import { isOutage } from '../../api/errors/outage.ts'
import { Problem } from '../../api/errors/problem.ts'
import { unauthenticatedProblem } from '../../api/hooks/guard-requests.ts'
import type { Exchange } from '../../api/http/exchange.ts'
import { eventStream, prefersEventStream } from '../../api/http/media-type.ts'
import { describeOperation, feedBatchOf } from '../../api/openapi/operation.ts'
import { idFilter, integerFilter, listFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { writeEventStream } from '../../api/responses/event-stream.ts'
import { originOfRequest, sendFeedBatch } from '../../api/responses/send.ts'
import { eventNames } from '../../domain/changes/event-table.ts'
import { type EventNews, openEventNews } from '../../pipeline/event-sequence/event-news.ts'
import { Type } from '../../platform/json-schema.ts'
import type { Service } from '../service.ts'
import { awaitEvents, followEvents } from './follow-events.ts'
import { checkPosition, listEvents } from './list-events.ts'

const eventsQuery = defineQuery({
  type: 'event',
  filters: {
    after: integerFilter('after', {
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      fallback: 0,
      description: 'The last `sequence` that you have read; 0 if you have read none.',
    }),
    limit: integerFilter('limit', {
      min: 1,
      max: 1_000,
      fallback: 100,
      description: 'Maximum number of events in one answer.',
    }),
    wait: integerFilter('wait', {
      min: 0,
      max: 60,
      fallback: 0,
      description: 'Seconds to wait for an event when there is none yet. An event stream waits by itself.',
    }),
    names: listFilter('filter[event]', eventNames, 'Comma list of event names.'),
    shipmentId: idFilter('filter[shipment_id]', 'Events of this shipment and its containers.'),
    containerId: idFilter('filter[container_id]', 'Events of this container.'),
    trackingRequestId: idFilter(
      'filter[tracking_request_id]',
      'Events of this request itself. Use the filter for the shipment to find the events of its shipment.',
    ),
  },
})
type EventsQuery = ReturnType<typeof eventsQuery.read>

const describeListEvents = () =>
  describeOperation({
    id: 'listEvents',
    tag: 'Events',
    summary: 'Read the events of the account, wait for them, or follow them as a stream',
    description:
      'Events come in the order of `sequence`. It has no gaps, and a lower number never appears after a higher one. `links.next` continues after the last event of this answer and is always present. With `Accept: text/event-stream` the answer is a stream that stays open until you close it.',
    query: eventsQuery.schema,
    answer: feedBatchOf('event'),
    refusals: [422],
  })
const eventsRouteSchema = () => ({
  ...describeListEvents(),
  headers: Type.Object({
    'last-event-id': Type.Optional(
      Type.String({
        description: 'For an event stream: the last `id` that you received. It is used instead of `after`.',
      }),
    ),
  }),
})

const batchMax = 200
/** Maximum bytes for each stream that are written but not yet sent. While there are more, no events are read. */
const bufferBytes = 65_536

export function events(app: FastifyInstance, service: Service): void {
  const news = openEventNews(service)
  const streams = createOpenStreams(service)
  // Ends the streams before the server closes. Otherwise the server would wait for them.
  app.addHook('preClose', () => streams.endAll())
  app.addHook('onClose', () => news.close())

  app.get('/v2/events', { config: { hasStream: true }, schema: eventsRouteSchema() }, async (request, reply) => {
    const parameters = eventsQuery.read(request)
    if (!prefersEventStream(request.headers.accept))
      return sendEvents({ request, reply }, parameters, { news, streams })
    const after = readLastEventId(request) ?? parameters.filter.after
    return streamEvents(
      { request, reply },
      { ...parameters, filter: { ...parameters.filter, after } },
      { news, streams },
    )
  })
}

interface LiveEventSources {
  readonly news: EventNews
  readonly streams: OpenStreams
}

async function sendEvents(
  { request, reply }: Exchange,
  parameters: EventsQuery,
  waiting: LiveEventSources,
): Promise<FastifyReply> {
  const { service, context } = callerOf(request)
  const { after, limit, wait, ...filter } = parameters.filter
  const isWaiting = wait > 0 && request.method === 'GET'
  const found = isWaiting
    ? await waitForEvents({ request, reply }, parameters, waiting)
    : await listEvents(service, context, { after, limit, filter })
  return sendFeedBatch(
    { request, reply },
    {
      data: found.events,
      view: parameters,
      next: ['after', found.examined],
      meta: { last_sequence: found.lastSequence, size: found.events.length },
    },
  )
}

async function waitForEvents(
  { request, reply }: Exchange,
  parameters: EventsQuery,
  { news, streams }: LiveEventSources,
) {
  const { service, context } = callerOf(request)
  const { after, limit, wait, ...filter } = parameters.filter
  const { signal, close } = streams.open(request, reply)
  const watch = news.watch(context.account.id)
  try {
    const found = await awaitEvents(service, context, {
      after,
      limit,
      filter,
      waitMs: wait * 1_000,
      watch,
      signal,
    })
    // The key may have been revoked while the request waited.
    if ((await identifyCaller(service, request)) === null) throw unauthenticatedProblem()
    return found
  } finally {
    if (signal.aborted) reply.header('connection', 'close')
    watch.close()
    close()
  }
}

async function streamEvents(
  { request, reply }: Exchange,
  parameters: EventsQuery,
  { news, streams }: LiveEventSources,
): Promise<FastifyReply> {
  const caller = callerOf(request)
  const { service, context } = caller
  const { after, limit: _, wait: __, ...filter } = parameters.filter
  // Checks the position before the stream begins, when a refusal is still possible.
  await checkPosition(service, context, after)
  reply.headers({
    'content-type': eventStream,
    'cache-control': 'private, no-store, no-transform',
    'x-accel-buffering': 'no',
    // No request follows on this connection, and an idle connection would prevent the server from stopping.
    connection: 'close',
  })
  if (request.method === 'HEAD') return reply.send('')
  const { signal } = streams.open(request, reply)
  const watch = news.watch(context.account.id)
  signal.addEventListener('abort', watch.close, { once: true })
  // When a client leaves, `onResponse` is not called, so the end is counted at the event `close`.
  service.metrics.streamOpened({ requestId: request.id })
  reply.raw.once('close', () => {
    const durationMs = Math.round(reply.elapsedTime)
    service.metrics.streamClosed({ requestId: request.id, durationMs })
  })
  const stretches = followEvents(service, context, {
    after,
    limit: batchMax,
    filter,
    watch,
    signal,
    isPassing: isOutage,
    quietMs: service.config.server.feedHeartbeatSeconds * 1_000,
  })
  const text = writeEventStream(caller, stretches, {
    view: parameters,
    base: `${originOfRequest(request)}/v2`,
  })
  return reply.send(Readable.from(text, { objectMode: false, highWaterMark: bufferBytes }))
}

/** Null when there is none, because the client connects for the first time. */
function readLastEventId(request: FastifyRequest): number | null {
  const given = request.headers['last-event-id']
  if (given === undefined || given === '') return null
  const number = typeof given === 'string' && /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN
  if (Number.isSafeInteger(number)) return number
  throw new Problem('malformed', { detail: '`Last-Event-ID` is the `id` of an event, a whole number.' })
}
