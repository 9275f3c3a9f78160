/** Follows the events of an account in order, and keeps its place. */

import { type IncludePath, type Joined, joinResources, type ResourceDocument, treeOf } from './joined.ts'
import { pathOf, writeQuery } from './query.ts'
import { Refused } from './refused.ts'
import { type Connection, pause, sendRequest } from './requests.ts'

export type FeedEvent<Path extends string = never> = Joined<'event', Path>

/** Where the number of the last event that was handled is kept: a file, a row of a table. */
export interface Place {
  /** Null at the very beginning. */
  readonly load: () => Promise<number | null>
  readonly save: (sequence: number) => Promise<void>
}

export interface FollowOptions<Path extends string = never> {
  /** Begin after this number; `now` begins with what comes next. 0, the first event of all, when left out. */
  readonly after?: number | 'now'
  /**
   * Read at the beginning instead of `after` when it holds a number, and written when an event was handled: after the
   * body of the loop, before the next event. After a crash in between, the same event comes again.
   */
  readonly place?: Place
  /** Names of events; all when left out. */
  readonly events?: readonly string[]
  readonly shipmentId?: string
  readonly containerId?: string
  readonly include?: readonly Path[]
  /** Ends the loop. */
  readonly signal?: AbortSignal
  /** The most seconds that a request waits for an event, 60 at most and when left out. */
  readonly waitS?: number
}

/**
 * Goes on through restarts and failures of the service, for as long as it takes; a refusal (a revoked key, a wrong filter)
 * is thrown. Each event comes once, in the order of `sequence`.
 */
export async function* followEvents<Path extends IncludePath<'event'> = never>(
  connection: Connection,
  options: FollowOptions<Path> = {},
): AsyncGenerator<FeedEvent<Path>, void, undefined> {
  const tree = treeOf(options.include ?? [])
  for await (const document of followPages(connection, options))
    for (const event of joinResources(document, tree) as readonly FeedEvent<Path>[]) {
      yield event
      await options.place?.save((event as FeedEvent).sequence)
    }
}

/** The same as the documents that the API answers, each with as many events as there are. Who reads them keeps the place. */
export async function* followPages<Path extends IncludePath<'event'> = never>(
  connection: Connection,
  {
    after = 0,
    place,
    events = [],
    shipmentId,
    containerId,
    include = [],
    signal,
    waitS = 60,
  }: FollowOptions<Path> = {},
): AsyncGenerator<ResourceDocument, void, undefined> {
  const filter = { event: events, shipment_id: shipmentId, container_id: containerId }
  const read = (path: string) => readPatiently(connection, path, { waitS, signal })
  let from = (await place?.load()) ?? after
  if (from === 'now') {
    const { meta } = await read(`/v2/events${writeQuery({ limit: 1 })}`)
    from = Number(meta?.['last_sequence'] ?? 0)
    await place?.save(from)
  }
  let next = `/v2/events${writeQuery({ after: from, wait: waitS, filter, include })}`
  while (signal?.aborted !== true) {
    const document = await read(next).catch((error: unknown) => {
      if (signal?.aborted === true) return null
      throw error
    })
    if (document === null) return
    yield document
    next = pathOf(document.links?.['next'] ?? next)
  }
}

const longestPauseMs = 30_000

/** A follower has time: what passes (no connection, 429, 5xx) is waited for without end. */
async function readPatiently(
  connection: Connection,
  path: string,
  { waitS, signal }: { readonly waitS: number; readonly signal: AbortSignal | undefined },
): Promise<ResourceDocument> {
  for (let failures = 0; ; failures++) {
    try {
      const response = await sendRequest(connection, {
        method: 'GET',
        path,
        headers: { accept: 'application/vnd.api+json' },
        timeoutMs: (waitS + 30) * 1000,
        ...(signal === undefined ? {} : { signal }),
      })
      return (await response.json()) as ResourceDocument
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof Refused && error.status < 500 && error.status !== 429) throw error
      await pause(Math.min(longestPauseMs, 1000 * 2 ** failures), signal)
    }
  }
}
