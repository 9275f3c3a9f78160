/**
 * Watching containers and shipments (`subscriptions/listen` of the 2026 protocol): while a client's stream is open, the
 * events of its account are followed, and each notifies about its resources. An account can watch only what it has: the
 * SDK passes an address on to every stream that requested it. So each stream checks its credentials before it passes
 * anything on, and every two seconds besides.
 */

import type { ServerEventBus } from '@modelcontextprotocol/server'
import { isOutage } from '../../api/errors/outage.ts'
import { onBehalfOfNobody } from '../../db/account-shares.ts'
import { membersOf } from '../../domain/values/json-value.ts'
import type { Context } from '../../modules/access/context.ts'
import { getContainers } from '../../modules/containers/get-container.ts'
import { ServiceError } from '../../modules/errors.ts'
import { followEvents } from '../../modules/events/follow-events.ts'
import { lastSequenceOf } from '../../modules/events/list-events.ts'
import type { Service } from '../../modules/service.ts'
import { getShipments } from '../../modules/shipments/get-shipment.ts'
import { type EventNews, openEventNews } from '../../pipeline/event-sequence/event-news.ts'
import { selectShown } from '../lists/row-limit.ts'
import { resourceUri } from '../server/resource-uri.ts'

const watchedMax = 100
const batchMax = 200
const quietMs = 15_000
/** Then the client connects again. */
const lifeMaxMs = 3_600_000
/** A stream without notifications ends within this time after its key, member or app has lost access. */
const checkMs = 2_000
const everything = { names: null, shipmentId: null, containerId: null, trackingRequestId: null } as const

export interface WatchedResources {
  /** Checks what the message wants to watch; null for a message that watches nothing. Throws a refusal. */
  readonly begin: (context: Context, message: unknown, isAllowed: IsAllowed) => Promise<ResponseWatcher | null>
  readonly close: () => Promise<void>
}

/** Whether the credentials of a stream still open its account; throws where that cannot be known now. */
type IsAllowed = () => Promise<boolean>

/** Follows the events while the stream of the answer is open, and returns the same answer. */
export type ResponseWatcher = (response: Response) => Response

export function watchResources(service: Service, bus: ServerEventBus): WatchedResources {
  const news = openEventNews(service)
  return {
    begin: async (context, message, isAllowed) => {
      const uris = urisIn(message)
      if (uris.length === 0) return null
      await requireOwnResources(service, context, uris)
      const after = await lastSequenceOf(service, context)
      return (response) => {
        // The stream listens by now, so nothing that happened since `after` is missed.
        const ending = new AbortController()
        void followUpdates({ service, news, bus, context, after, signal: ending.signal }).catch((error: unknown) =>
          service.log.debug('mcp.failed', { error }),
        )
        return limitStream(response, { ending, isAllowed })
      }
    },
    close: () => news.close(),
  }
}

function urisIn(message: unknown): readonly string[] {
  const { method, params } = membersOf(message)
  if (method !== 'subscriptions/listen') return []
  const { resourceSubscriptions } = membersOf(membersOf(params)['notifications'])
  if (!Array.isArray(resourceSubscriptions)) return []
  return resourceSubscriptions.filter((each): each is string => typeof each === 'string')
}

async function requireOwnResources(service: Service, context: Context, uris: readonly string[]): Promise<void> {
  if (uris.length > watchedMax)
    throw new ServiceError('invalid', `At most ${watchedMax} resources are watched at a time.`)
  const idsOf = (kind: 'container' | 'shipment'): readonly string[] =>
    uris.flatMap((uri) => {
      const start = resourceUri(service.config, kind, '')
      const id = uri.slice(start.length)
      return uri.startsWith(start) && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? [id] : []
    })
  const [containers, shipments] = await Promise.all([
    getContainers(service, context, { ids: idsOf('container') }),
    getShipments(service, context, { ids: idsOf('shipment') }),
  ])
  const shipmentIds = [...containers.map(({ shipmentId }) => shipmentId), ...shipments.map(({ id }) => id)]
  const shown = await selectShown({ service, context }, shipmentIds)
  const ownUris = new Set([
    ...containers
      .filter(({ shipmentId }) => shown.has(shipmentId))
      .map(({ id }) => resourceUri(service.config, 'container', id)),
    ...shipments.filter(({ id }) => shown.has(id)).map(({ id }) => resourceUri(service.config, 'shipment', id)),
  ])
  const foreign = uris.find((uri) => !ownUris.has(uri))
  if (foreign !== undefined)
    throw new ServiceError('not_found', `There is no resource ${foreign.slice(0, 120)} to watch.`)
}

async function followUpdates(of: {
  readonly service: Service
  readonly news: EventNews
  readonly bus: ServerEventBus
  readonly context: Context
  readonly after: number
  readonly signal: AbortSignal
}): Promise<void> {
  const { service, news, bus, context, after, signal } = of
  const watch = news.watch(context.account.id)
  try {
    const followOptions = {
      after,
      limit: batchMax,
      filter: everything,
      watch,
      signal,
      quietMs,
      isPassing: isOutage,
    }
    for await (const { events } of followEvents(service, context, followOptions)) {
      const uris = events.flatMap(({ event: { containerId, shipmentId } }) => [
        ...(containerId === null ? [] : [resourceUri(service.config, 'container', containerId)]),
        ...(shipmentId === null ? [] : [resourceUri(service.config, 'shipment', shipmentId)]),
      ])
      for (const uri of new Set(uris)) bus.publish({ kind: 'resource_updated', uri })
    }
  } finally {
    watch.close()
  }
}

/**
 * The same answer. When its stream ends, its client leaves or its credentials are no longer good, the events are no
 * longer followed.
 */
function limitStream(
  response: Response,
  { ending, isAllowed }: { readonly ending: AbortController; readonly isAllowed: IsAllowed },
): Response {
  if (response.body === null) {
    ending.abort()
    return response
  }
  const reader = response.body.getReader()
  const end = (): void => {
    ending.abort()
    // The reader may have ended by itself.
    void reader.cancel().catch(() => {})
  }
  const isOver = setTimeout(end, lifeMaxMs).unref()
  const checking = onBehalfOfNobody(() => setInterval(() => void check(), checkMs).unref())
  let isChecking = false
  const check = async (): Promise<void> => {
    if (isChecking) return
    isChecking = true
    // When the database cannot be reached, no notification is sent either, and the next check queries again.
    if (!(await isAllowed().catch(() => true))) end()
    isChecking = false
  }
  const stopTimers = (): void => {
    clearTimeout(isOver)
    clearInterval(checking)
  }
  ending.signal.addEventListener('abort', stopTimers, { once: true })
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await reader.read()
      if (!done && (await isAllowed().catch(() => false))) return controller.enqueue(value)
      end()
      controller.close()
    },
    cancel: (reason) => {
      ending.abort()
      return reader.cancel(reason)
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
