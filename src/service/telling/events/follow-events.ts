/** Reading the feed at its end: waiting once for the next event, or following it for a long time. */

import type { EventStretch } from '../../../store/read/events.ts'
import type { Context } from '../../context.ts'
import type { Service } from '../../service.ts'
import type { Watch } from './event-news.ts'
import { type EventsAsked, listEvents, listEventsTogether } from './list-events.ts'

/**
 * Returns the events that there are. When there are none, it waits for events within the time, and else returns none.
 * The signal ends the wait early.
 */
export async function awaitEvents(
  service: Service,
  context: Context,
  asked: EventsAsked & { readonly waitMs: number; readonly watch: Watch; readonly signal: AbortSignal },
): Promise<EventStretch> {
  const until = performance.now() + asked.waitMs
  for (let { after } = asked; ; ) {
    const found = await listEvents(service, context, { ...asked, after })
    const ms = until - performance.now()
    if (found.events.length > 0 || ms <= 0 || asked.signal.aborted) return found
    after = found.examined
    await asked.watch.beyond(after, { ms, signal: asked.signal })
    if (asked.signal.aborted) return found
  }
}

/** After a failure that may pass, a read is tried again after this time. */
const retryMs = 1_000

/**
 * Yields every event from the number on, in batches, until the signal; an empty batch when no event came for `quietMs`.
 * It reads only when the consumer asks for more, so a slow consumer costs one batch of memory, however far behind it
 * is.
 */
export async function* followEvents(
  service: Service,
  context: Context,
  asked: EventsAsked & {
    readonly quietMs: number
    readonly watch: Watch
    readonly signal: AbortSignal
    /**
     * Whether the error may pass, for example because the database is unreachable, so that another attempt makes sense.
     */
    readonly isPassing: (error: unknown) => boolean
  },
): AsyncGenerator<EventStretch> {
  const { watch, signal, quietMs } = asked
  let last: EventStretch = { events: [], examined: asked.after, lastSequence: asked.after, goneSequence: 0 }
  for (let spokeAt = performance.now(); !signal.aborted; ) {
    const rest = () => Math.max(0, spokeAt + quietMs - performance.now())
    const found = await tryToRead(service, context, { ...asked, after: last.examined })
    if (found === null) await watch.beyond(Number.MAX_SAFE_INTEGER, { ms: retryMs, signal })
    else last = found
    if (found !== null && found.events.length === 0 && found.examined >= found.lastSequence)
      await watch.beyond(found.examined, { ms: rest(), signal })
    const isNews = found !== null && found.events.length > 0
    if (!isNews && rest() > 0) continue
    if (signal.aborted) return
    yield isNews ? found : { ...last, events: [] }
    spokeAt = performance.now()
  }
}

/** Null when it could not be read just now. */
async function tryToRead(
  service: Service,
  context: Context,
  asked: EventsAsked & { readonly isPassing: (error: unknown) => boolean },
): Promise<EventStretch | null> {
  const { after, limit, filter } = asked
  try {
    return await listEventsTogether(service, context, { after, limit, filter })
  } catch (error) {
    if (!asked.isPassing(error)) throw error
    service.log.warn('database.unreachable', { requestId: context.requestId, error })
    return null
  }
}
