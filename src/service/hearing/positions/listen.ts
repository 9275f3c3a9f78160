/** Listens to the feeds of a world while this process holds its lease, and writes what is heard every second. */

import { setTimeout as pause } from 'node:timers/promises'
import { addMs } from '../../../core/values/time.ts'
import { leaseFeed, releaseFeed } from '../../../store/telling/feed-leases.ts'
import { leaseToken } from '../../ground/holder.ts'
import type { Fold } from '../../ledger/fold.ts'
import { realNow, type Service } from '../../service.ts'
import type { AisCounts } from './ais-counts.ts'
import { openPositionCollector, type PositionCollector } from './position-collector.ts'
import type { World } from './worlds.ts'

const leaseMs = 30_000
const stepMs = 1_000
const renewEveryMs = 10_000

/**
 * Runs until the signal aborts: takes the lease when it is free, listens, and releases it at the end. Never rejects.
 */
export async function listenToWorld(
  service: Service,
  world: World,
  options: { readonly fold: Fold; readonly counts: AisCounts; readonly signal: AbortSignal },
): Promise<void> {
  const { signal } = options
  const name = leaseName(world)
  let lease = { name, token: leaseToken(service) }
  while (!signal.aborted) {
    // Another token each time: this process may be another holder by now.
    lease = { name, token: leaseToken(service) }
    if (await hold(service, lease)) await listenUnderLease(service, world, { ...options, lease })
    await pause(stepMs, undefined, { signal }).catch(() => {})
  }
  await releaseFeed(service.pool, lease).catch((error: unknown) => {
    service.log.warn('database.unreachable', { error })
  })
}

function leaseName({ isFiction }: Pick<World, 'isFiction'>): string {
  return isFiction ? 'ais of the sandbox' : 'ais'
}

interface Lease {
  readonly name: string
  readonly token: string
}

async function hold(service: Service, lease: Lease): Promise<boolean> {
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
  world: World,
  options: {
    readonly fold: Fold
    readonly counts: AisCounts
    readonly signal: AbortSignal
    readonly lease: Lease
  },
): Promise<void> {
  const { counts, fold, lease, signal } = options
  const collector = openPositionCollector(service, { isFiction: world.isFiction, fold, counts })
  const over = new AbortController()
  const end = (): void => over.abort()
  signal.addEventListener('abort', end, { once: true })
  const feeds = world.feeds.map((feed) =>
    feed.listen({
      egress: service.carrierEgress(world.isFiction),
      now: service.journeyClock(world.isFiction).now,
      random: Math.random,
      signal: over.signal,
      ears: {
        hear: collector.hear,
        count: (issue) => {
          counts.issues[issue] += 1
        },
        note: (news, source) => {
          if (news.is === 'open') service.log.info('feed.opened', { feed: source, fiction: world.isFiction })
          else service.log.warn('feed.closed', { feed: source, fiction: world.isFiction, why: news.why })
        },
      },
    }),
  )
  let renewAt = performance.now() + renewEveryMs
  while (!over.signal.aborted) {
    await flushSafely(service, collector)
    await pause(stepMs, undefined, { signal: over.signal }).catch(() => {})
    if (performance.now() < renewAt || over.signal.aborted) continue
    renewAt = performance.now() + renewEveryMs
    if (!(await hold(service, lease))) end()
  }
  await Promise.all(feeds)
  signal.removeEventListener('abort', end)
  await flushSafely(service, collector)
}

/** What could not be written waits for the next second, in memory that is bounded. */
async function flushSafely(service: Service, collector: PositionCollector): Promise<void> {
  await collector.flush().catch((error: unknown) => {
    service.metrics.jobFailed({ job: 'positions', error })
  })
}
