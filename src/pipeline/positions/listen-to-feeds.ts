/**
 * Listens to the feeds of an environment while this process holds its lease, and writes what is received every second.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { nameFeeds } from '../../connectors/ais/feed.ts'
import { addMs } from '../../domain/values/time.ts'
import { type FeedWatch, openFeedWatch } from '../../domain/vessels/feed-watch.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { leaseToken } from '../jobs/holder.ts'
import type { Fold } from '../ledger/fold.ts'
import type { AisCounts } from './ais-counts.ts'
import type { FeedEnvironment } from './feed-environments.ts'
import { leaseFeed, releaseFeed } from './feed-leases-sql.ts'
import { listFeedStates, writeFeedStates } from './feed-states-sql.ts'
import { openPositionCollector, type PositionCollector } from './position-collector.ts'

const leaseMs = 30_000
const stepMs = 1_000
const renewEveryMs = 10_000
const writeStatesEveryMs = 15_000

/**
 * Runs until the signal aborts: acquires the lease when it is free, listens, and releases it at the end. Never rejects.
 */
export async function listenToFeeds(
  service: Service,
  environment: FeedEnvironment,
  options: { readonly fold: Fold; readonly counts: AisCounts; readonly signal: AbortSignal },
): Promise<void> {
  const { signal } = options
  const name = leaseName(environment)
  let lease = { name, token: leaseToken(service) }
  while (!signal.aborted) {
    // Another token each time: this process may be another holder by now.
    lease = { name, token: leaseToken(service) }
    if (await holdLease(service, lease)) await listenUnderLease(service, environment, { ...options, lease })
    await pause(stepMs, undefined, { signal }).catch(() => {})
  }
  await releaseFeed(service.pool, lease).catch((error: unknown) => {
    service.log.warn('database.unreachable', { error })
  })
}

function leaseName({ isSandbox }: Pick<FeedEnvironment, 'isSandbox'>): string {
  return isSandbox ? 'ais of the sandbox' : 'ais'
}

interface Lease {
  readonly name: string
  readonly token: string
}

async function holdLease(service: Service, lease: Lease): Promise<boolean> {
  const now = realNow(service)
  try {
    return await leaseFeed(service.pool, { ...lease, now, until: addMs(now, leaseMs) })
  } catch (error) {
    service.log.warn('database.unreachable', { error })
    return false
  }
}

/** Ends when the signal aborts or the lease can't be renewed: then another process listens. */
async function listenUnderLease(
  service: Service,
  environment: FeedEnvironment,
  options: {
    readonly fold: Fold
    readonly counts: AisCounts
    readonly signal: AbortSignal
    readonly lease: Lease
  },
): Promise<void> {
  const { counts, fold, lease, signal } = options
  const collector = openPositionCollector(service, { isSandbox: environment.isSandbox, fold, counts })
  const watches = await openWatches(service, environment)
  const over = new AbortController()
  const end = (): void => over.abort()
  signal.addEventListener('abort', end, { once: true })
  const feeds = environment.feeds.map((feed, place) =>
    feed.listen({
      egress: service.carrierEgress(environment.isSandbox),
      now: service.journeyClock(environment.isSandbox).now,
      random: Math.random,
      signal: over.signal,
      ears: {
        ingest: (report, source) => {
          watches[place]?.heard(service.clock.now())
          collector.receiveReport(report, source)
        },
        count: (issue) => {
          counts.issues[issue] += 1
        },
        note: (news, source) => {
          const fields = { feed: source, fiction: environment.isSandbox }
          if (news.is === 'open') {
            watches[place]?.opened(service.clock.now())
            service.log.info('feed.opened', fields)
          } else {
            watches[place]?.closed(news.why)
            service.log.warn('feed.closed', { ...fields, why: news.why })
          }
        },
      },
    }),
  )
  let renewAt = performance.now() + renewEveryMs
  let writtenAt = Number.NEGATIVE_INFINITY
  while (!over.signal.aborted) {
    await flushSafely(service, collector)
    if (service.clock.now() - writtenAt >= writeStatesEveryMs) {
      writtenAt = service.clock.now()
      await writeStates(service, environment, watches)
    }
    await pause(stepMs, undefined, { signal: over.signal }).catch(() => {})
    if (performance.now() < renewAt || over.signal.aborted) continue
    renewAt = performance.now() + renewEveryMs
    if (!(await holdLease(service, lease))) end()
  }
  await Promise.all(feeds)
  signal.removeEventListener('abort', end)
  await flushSafely(service, collector)
}

/** The sandbox's ships may all lie in port, so its feeds are never silent. */
async function openWatches(service: Service, { isSandbox, feeds }: FeedEnvironment): Promise<readonly FeedWatch[]> {
  const before = await listFeedStates(service.pool, isSandbox).catch(() => [])
  const windowMs = isSandbox ? Number.POSITIVE_INFINITY : service.config.positions.silentMinutes * 60_000
  return nameFeeds(feeds).map((name) =>
    openFeedWatch({
      windowMs,
      startMs: service.clock.now(),
      before: before.find((state) => state.name === name) ?? null,
    }),
  )
}

async function writeStates(
  service: Service,
  { isSandbox, feeds }: FeedEnvironment,
  watches: readonly FeedWatch[],
): Promise<void> {
  const nowMs = service.clock.now()
  const names = nameFeeds(feeds)
  const states = watches.map((watch, place) => ({ name: names[place] ?? '', ...watch.read(nowMs) }))
  await writeFeedStates(service.pool, { isSandbox, states, now: realNow(service) }).catch((error: unknown) => {
    service.metrics.jobFailed({ job: 'positions', error })
  })
}

/** What could not be written waits for the next second, in memory that is bounded. */
async function flushSafely(service: Service, collector: PositionCollector): Promise<void> {
  await collector.flush().catch((error: unknown) => {
    service.metrics.jobFailed({ job: 'positions', error })
  })
}
