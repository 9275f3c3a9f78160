/**
 * How often share links are read: from one address, and one link from all addresses together. Only this process counts,
 * because the aim is less load: a token cannot be guessed in any case (256 bits).
 */

import { acquireQuotaSlots, type RollingWindow, windowMs } from '../../domain/polling/rolling-window.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import { networkOf } from '../api-keys/failed-keys.ts'
import type { Service } from '../service.ts'
import { rateLimited } from '../usage/acquire-quota-slot.ts'

/** A link may be in a page with many readers. */
const readersOfLink = 10
const rememberedMax = 20_000

const windowsOf = memoizePerOwner<Service, Map<string, RollingWindow>>(() => new Map())

const tooOften = 'Too many requests in the last 60 seconds. The `Retry-After` header says when to come again.'

/** Called before the token is looked up. Refuses with `rate_limited`. */
export function admitAddress(service: Service, address: string): void {
  requireWithinLimit(service, `address ${networkOf(address)}`, service.config.limits.sharedPerMinute)
}

/** Called when the link is known. Refuses with `rate_limited`. */
export function admitLink(service: Service, linkId: string): void {
  requireWithinLimit(service, `link ${linkId}`, service.config.limits.sharedPerMinute * readersOfLink)
}

function requireWithinLimit(service: Service, key: string, limit: number): void {
  if (limit === 0) return
  const windows = windowsOf(service)
  const nowMs = service.clock.now()
  if (windows.size >= rememberedMax && !windows.has(key)) evictExpired(windows, nowMs)
  const window = windows.get(key) ?? { accepted: [] }
  windows.set(key, window)
  const { acquired: granted, laterMs } = acquireQuotaSlots(window, { nowMs, limit, count: 1 })
  if (granted === 1) return
  service.metrics.limitsRefused({
    bucket: 'shared',
    ...(key.startsWith('link') ? { linkId: key.slice(5) } : {}),
  })
  throw rateLimited(Math.max(1, Math.ceil((laterMs[0] ?? windowMs) / 1_000)), tooOften)
}

function evictExpired(windows: Map<string, RollingWindow>, nowMs: number): void {
  for (const [key, { accepted }] of windows) if ((accepted.at(-1) ?? 0) <= nowMs - windowMs) windows.delete(key)
  if (windows.size >= rememberedMax) windows.clear()
}
