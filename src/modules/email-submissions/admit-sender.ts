/** Limits the e-mails of one network address in an hour. Each process counts for itself, because this is about load. */

import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import { networkOf } from '../api-keys/failed-keys.ts'
import type { Service } from '../service.ts'

interface SenderCount {
  n: number
  endsMs: number
}

const hourMs = 3_600_000
const rememberedMax = 20_000
const countsOf = memoizePerOwner<Service, Map<string, SenderCount>>(() => new Map())

/** False when the address has sent as many as it may. */
export function admitSender(service: Service, address: string): boolean {
  const limit = service.config.mailIn.perAddressHour
  if (limit === 0) return true
  const counts = countsOf(service)
  const nowMs = service.clock.now()
  const network = networkOf(address)
  const known = counts.get(network)
  const count = known !== undefined && known.endsMs > nowMs ? known : { n: 0, endsMs: nowMs + hourMs }
  if (count.n >= limit) return false
  if (counts.size >= rememberedMax && !counts.has(network)) evictExpired(counts, nowMs)
  counts.set(network, { ...count, n: count.n + 1 })
  return true
}

/** Forgets what is over. If too many are left, because very many addresses attack us, forgets all. */
function evictExpired(counts: Map<string, SenderCount>, nowMs: number): void {
  for (const [network, { endsMs }] of counts) if (endsMs <= nowMs) counts.delete(network)
  if (counts.size >= rememberedMax) counts.clear()
}
