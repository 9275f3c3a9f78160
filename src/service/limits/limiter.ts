/**
 * Who counts, and by which limits: the windows that the settings name, with others to fall back on when they are away, and
 * the account's own limits, remembered for five seconds.
 */

import type { Taken } from '../../core/rolling-window.ts'
import { realClock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import { limitsOfAccount } from '../../store/ground/rate-windows.ts'
import type { Service } from '../service.ts'
import { type Bucket, buckets, type Limits, limitsBySettings } from './buckets.ts'
import { databaseWindows, memoryWindows, type TurnWindows } from './turn-windows.ts'
import { openValkeyWindows, type ValkeyWindows } from './valkey-windows.ts'

export interface Limiter {
  /** Turns of an account; with no limit, all that are wanted. `isWhole`: all or none; more than the limit is the limit. */
  readonly take: (of: {
    readonly accountId: string
    readonly bucket: Bucket
    readonly count: number
    readonly isWhole?: boolean
  }) => Promise<Taken>
  readonly close: () => void
}

/** A changed limit holds everywhere within this. */
const rememberedMs = 5_000
const rememberedMax = 10_000
/** Windows that did not answer are left alone for this long. */
const restMs = 1_000

const limiters = new WeakMap<Service, Limiter>()

/** One for each service, opened at its first use. */
export function limiterOf(service: Service): Limiter {
  const known = limiters.get(service)
  if (known !== undefined) return known
  const limiter = openLimiter(service)
  limiters.set(service, limiter)
  return limiter
}

/** Lets go of what it holds open; nothing when it was never used. */
export function closeLimiter(service: Service): void {
  limiters.get(service)?.close()
  limiters.delete(service)
}

/** In which order windows are asked; the last always answers. */
export function windowsBySettings(config: Config): readonly TurnWindows['name'][] {
  const { store, valkeyUrl } = config.limits
  const isShared = config.data.databaseUrl !== null || config.server.role !== 'all'
  if (store === 'memory') return ['memory']
  if (store === 'auto' && valkeyUrl !== null) return ['valkey', 'database', 'memory']
  return store === 'database' || isShared ? ['database', 'memory'] : ['memory']
}

function openLimiter(service: Service): Limiter {
  const { valkeyUrl } = service.config.limits
  let valkey: ValkeyWindows | null = null
  const chain = windowsBySettings(service.config).map((name): TurnWindows => {
    if (name === 'memory') return memoryWindows(service.clock)
    if (name === 'database' || valkeyUrl === null)
      return databaseWindows(service.pool, service.clock === realClock ? null : service.clock)
    valkey = openValkeyWindows(valkeyUrl)
    return valkey
  })
  const limitsOf = rememberLimits(service)
  const restsUntilMs = new Map<TurnWindows, number>()
  return {
    take: async ({ accountId, bucket, isWhole = false, ...wanted }) => {
      const limit = (await limitsOf(accountId))[bucket]
      if (limit === 0) return { taken: wanted.count, laterMs: [] }
      const count = isWhole ? Math.min(wanted.count, limit) : wanted.count
      for (const windows of chain) {
        const isLast = windows === chain.at(-1)
        if (!isLast && performance.now() < (restsUntilMs.get(windows) ?? 0)) continue
        try {
          return await windows.take({ accountId, bucket, limit, count, isWhole })
        } catch (error) {
          if (isLast) throw error
          // Whoever has paid for nothing but our outage is not refused: the next ones count on, from nothing.
          restsUntilMs.set(windows, performance.now() + restMs)
          service.metrics.limitsStoreFailed({ store: windows.name, error })
        }
      }
      throw new Error('there are no windows')
    },
    close: () => valkey?.close(),
  }
}

function rememberLimits(service: Service): (accountId: string) => Promise<Limits> {
  const bySettings = limitsBySettings(service.config)
  const known = new Map<string, { readonly limits: Promise<Limits>; readonly untilMs: number }>()
  const read = async (accountId: string, before: Promise<Limits> | undefined): Promise<Limits> => {
    try {
      return withOwn(bySettings, await limitsOfAccount(service.pool, accountId))
    } catch (error) {
      // What was known goes on to hold; the verb behind this will say that the database is away.
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

function withOwn(
  bySettings: Limits,
  own: readonly { readonly bucket: string; readonly perMinute: number }[],
): Limits {
  const pairs = buckets.map((bucket) => [
    bucket,
    own.find((each) => each.bucket === bucket)?.perMinute ?? bySettings[bucket],
  ])
  return Object.fromEntries(pairs) as Limits // one pair for each bucket
}
