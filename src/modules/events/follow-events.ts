/** Reading the feed at its end: waiting once for the next event, or following it for a long time. */

import type { EventWatch } from '../../pipeline/event-sequence/event-news.ts'
import type { Context } from '../access/context.ts'
import type { Service } from '../service.ts'
import { type EventQuery, listEvents, listEventsTogether } from './list-events.ts'
import type { EventStretch } from './list-events-sql.ts'

/**
 * Returns the events that there are. When there are none, it waits for events within the time, and else returns none.
 * The signal ends the wait early.
 */
export async function awaitEvents(
  service: Service,
  context: Context,
  query: EventQuery & { readonly waitMs: number; readonly watch: EventWatch; readonly signal: AbortSignal },
): Promise<EventStretch> {
  const until = performance.now() + query.waitMs
  for (let { after } = query; ; ) {
    const found = await listEvents(service, context, { ...query, after })
    const ms = until - performance.now()
    if (found.events.length > 0 || ms <= 0 || query.signal.aborted) return found
    after = found.examined
    await query.watch.beyond(after, { ms, signal: query.signal })
    if (query.signal.aborted) return found
  }
}

/** After a failure that may pass, a read is tried again after this time. */
const retryMs = 1_000

/**
 * Yields every event from the number on, in batches, until the signal; an empty batch when no event came for `quietMs`.
 * It reads only when the consumer requests more, so a slow consumer costs one batch of memory, even far behind.
 */
export async function* followEvents(
  service: Service,
  context: Context,
  query: EventQuery & {
    readonly quietMs: number
    readonly watch: EventWatch
    readonly signal: AbortSignal
    /**
     * Whether the error may pass, for example because the database is unreachable, so that another attempt makes sense.
     */
    readonly isPassing: (error: unknown) => boolean
  },
): AsyncGenerator<EventStretch> {
  const { watch, signal, quietMs } = query
  let last: EventStretch = { events: [], examined: query.after, lastSequence: query.after }
  for (let lastYieldAt = performance.now(); !signal.aborted; ) {
    const remainingMs = () => Math.max(0, lastYieldAt + quietMs - performance.now())
    const found = await readEventsIfAvailable(service, context, { ...query, after: last.examined })
    if (found === null) await watch.beyond(Number.MAX_SAFE_INTEGER, { ms: retryMs, signal })
    else last = found
    if (found !== null && found.events.length === 0 && found.examined >= found.lastSequence)
      await watch.beyond(found.examined, { ms: remainingMs(), signal })
    const isNews = found !== null && found.events.length > 0
    if (!isNews && remainingMs() > 0) continue
    if (signal.aborted) return
    yield isNews ? found : { ...last, events: [] }
    lastYieldAt = performance.now()
  }
}

/** Null when it could not be read just now. */
async function readEventsIfAvailable(
  service: Service,
  context: Context,
  query: EventQuery & { readonly isPassing: (error: unknown) => boolean },
): Promise<EventStretch | null> {
  const { after, limit, filter } = query
  try {
    return await listEventsTogether(service, context, { after, limit, filter })
  } catch (error) {
    if (!query.isPassing(error)) throw error
    service.log.warn('database.unreachable', { requestId: context.requestId, error })
    return null
  }
}
