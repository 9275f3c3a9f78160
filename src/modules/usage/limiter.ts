/**
 * Counts slots against limits. It counts in the store that the settings name, or in the next one while that store does
 * not answer. The account's own limits are remembered for five seconds.
 */

import { limitsOfAccount } from '../../db/rate-windows.ts'
import type { AcquiredSlots } from '../../domain/polling/rolling-window.ts'
import { realClock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Service } from '../service.ts'
import { type Bucket, buckets, type Limits, limitsBySettings } from './buckets.ts'
import { databaseWindows, memoryWindows, type QuotaWindows } from './quota-windows.ts'
import { openValkeyWindows, type ValkeyWindows } from './valkey-windows.ts'

export interface Limiter {
  /**
   * Uses slots of an account; where there is no limit, as many as are wanted. `isWhole`: all or none; a count above the
   * limit is reduced to the limit.
   */
  readonly take: (of: {
    readonly accountId: string
    readonly bucket: Bucket
    readonly count: number
    readonly isWhole?: boolean
  }) => Promise<AcquiredSlots>
  /** What an account has used of each limit in the last 60 seconds. Null where there is no limit. */
  readonly held: (accountId: string) => Promise<readonly BucketUsage[]>
  readonly close: () => void
}

export interface BucketUsage {
  readonly bucket: Bucket
  readonly perMinute: number | null
  readonly used: number | null
}

/** A changed limit is in force everywhere within this time. */
const rememberedMs = 5_000
const rememberedMax = 10_000
/** A store that did not answer is not called for this long. */
const cooldownMs = 1_000

const limiters = new WeakMap<Service, Limiter>()

/** One for each service, opened at its first use. */
export function limiterOf(service: Service): Limiter {
  const known = limiters.get(service)
  if (known !== undefined) return known
  const limiter = openLimiter(service)
  limiters.set(service, limiter)
  return limiter
}

/** Closes the connection to the store; does nothing when the limiter was never used. */
export function closeLimiter(service: Service): void {
  limiters.get(service)?.close()
  limiters.delete(service)
}

/** The stores in the order in which they are called. The last one always answers. */
export function windowsBySettings(config: Config): readonly QuotaWindows['name'][] {
  const { store, valkeyUrl } = config.limits
  const isShared = config.data.databaseUrl !== null || config.server.role !== 'all'
  if (store === 'memory') return ['memory']
  if (store === 'auto' && valkeyUrl !== null) return ['valkey', 'database', 'memory']
  return store === 'database' || isShared ? ['database', 'memory'] : ['memory']
}

function openLimiter(service: Service): Limiter {
  const { valkeyUrl } = service.config.limits
  let valkey: ValkeyWindows | null = null
  const chain = windowsBySettings(service.config).map((name): QuotaWindows => {
    if (name === 'memory') return memoryWindows(service.clock)
    if (name === 'database' || valkeyUrl === null)
      return databaseWindows(service.pool, service.clock === realClock ? null : service.clock)
    valkey = openValkeyWindows(valkeyUrl)
    return valkey
  })
  const limitsOf = rememberLimits(service)
  const cooldownUntilMs = new Map<QuotaWindows, number>()
  const queryStore = async <Answer>(question: (windows: QuotaWindows) => Promise<Answer>): Promise<Answer> => {
    for (const windows of chain) {
      const isLast = windows === chain.at(-1)
      if (!isLast && performance.now() < (cooldownUntilMs.get(windows) ?? 0)) continue
      try {
        return await question(windows)
      } catch (error) {
        if (isLast) throw error
        // An outage of Landfall is no reason to refuse a request: the next store continues counting, from zero.
        cooldownUntilMs.set(windows, performance.now() + cooldownMs)
        service.metrics.limitsStoreFailed({ store: windows.name, error })
      }
    }
    throw new Error('the rate limiter has no store')
  }
  return {
    take: async ({ accountId, bucket, isWhole = false, ...wanted }) => {
      const limit = (await limitsOf(accountId))[bucket]
      if (limit === 0) return { acquired: wanted.count, laterMs: [] }
      const count = isWhole ? Math.min(wanted.count, limit) : wanted.count
      return queryStore((windows) => windows.take({ accountId, bucket, limit, count, isWhole }))
    },
    held: async (accountId) => {
      const limits = await limitsOf(accountId)
      return Promise.all(
        buckets.map(async (bucket) =>
          limits[bucket] === 0
            ? { bucket, perMinute: null, used: null }
            : {
                bucket,
                perMinute: limits[bucket],
                used: await queryStore((windows) => windows.held({ accountId, bucket })),
              },
        ),
      )
    },
    close: () => valkey?.close(),
  }
}

function rememberLimits(service: Service): (accountId: string) => Promise<Limits> {
  const bySettings = limitsBySettings(service.config)
  const known = new Map<string, { readonly limits: Promise<Limits>; readonly untilMs: number }>()
  const read = async (accountId: string, before: Promise<Limits> | undefined): Promise<Limits> => {
    try {
      return withOwnLimits(bySettings, await limitsOfAccount(service.pool, accountId))
    } catch (error) {
      // The limits known before stay in force. The verb that runs next will report that the database is unreachable.
      service.log.warn('database.unreachable', { error })
      return (await before) ?? bySettings
    }
  }
  return (accountId) => {
    const nowMs = performance.now()
    const found = known.get(accountId)
    if (found !== undefined && nowMs < found.untilMs) return found.limits
    if (known.size >= rememberedMax) known.clear()
    const limits = read(accountId, found?.limits)
    known.set(accountId, { limits, untilMs: nowMs + rememberedMs })
    return limits
  }
}

function withOwnLimits(
  bySettings: Limits,
  ownLimits: readonly { readonly bucket: string; readonly perMinute: number }[],
): Limits {
  const pairs = buckets.map((bucket) => [
    bucket,
    ownLimits.find((each) => each.bucket === bucket)?.perMinute ?? bySettings[bucket],
  ])
  return Object.fromEntries(pairs) as Limits // one pair for each bucket
}
