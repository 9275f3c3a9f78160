/**
 * Limits the requests and bytes that come in: of an address while the sender is unknown, of a channel once the sender
 * has proved itself, and what of a channel is under way at the same time. So nobody without a partner's key can use up
 * what that partner may send. Each process counts for itself, because this is about load.
 */

import { messagePartsMax } from '../../connectors/pushed-source.ts'
import { networkOf } from '../../modules/api-keys/failed-keys.ts'
import type { Service } from '../../modules/service.ts'
import { rateLimited } from '../../modules/usage/acquire-quota-slot.ts'
import { deliveryBytesMax } from '../../platform/delivery-size.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'

/** Whose limit something counts against. */
export type QuotaOwner = { readonly address: string } | { readonly channelId: string }

/** A leaky bucket. What comes in fills it. It drains at the rate of its limit for a minute. */
interface LeakyBucket {
  level: number
  atMs: number
}

interface QuotaMemory {
  readonly buckets: Map<string, LeakyBucket>
  /** How many bodies are being read whose sender is not proved yet, by network. */
  readonly unproven: Map<string, number>
  /** What is under way, by channel. */
  readonly underWay: Map<string, UnderWay>
}

interface UnderWay {
  deliveries: number
  bytes: number
  parts: number
}

/** The capacity of a channel that one delivery uses. */
export interface ChannelCapacity {
  /**
   * Both throw (429) when that is too much in addition to the other deliveries of the channel. A delivery that is alone
   * always has capacity.
   */
  readonly holdBytes: (bytes: number) => void
  readonly holdParts: (parts: number) => void
  /** May be called more than once. */
  readonly giveBack: () => void
}

const rememberedMax = 20_000
const minuteMs = 60_000
const megabyte = 1_000_000
const unprovenMax = 8
/** How long a channel with too much under way waits: about as long as ingesting the largest delivery. */
const underWayWaitSeconds = 30

const memoryOf = memoizePerOwner<Service, QuotaMemory>(() => ({
  buckets: new Map(),
  unproven: new Map(),
  underWay: new Map(),
}))

/** Counts a request and the bytes that it announces. Refuses it (429) when either is too much. */
export function admitRequest(service: Service, of: QuotaOwner, bytes: number): void {
  const { requests, bytes: byteBucket } = bucketsOf(service, of)
  const waitMs = Math.max(requests.waitMs(1), byteBucket.waitMs(bytes))
  if (waitMs > 0) {
    service.metrics.limitsRefused({ bucket: 'address' in of ? 'inbound_address' : 'inbound_channel', ...of })
    throw rateLimited(Math.ceil(waitMs / 1_000))
  }
  requests.add(1)
  byteBucket.add(bytes)
}

/** Counts bytes that came without being announced. The next requests wait for them. */
export function noteBytes(service: Service, of: QuotaOwner, bytes: number): void {
  bucketsOf(service, of).bytes.add(bytes)
}

/**
 * Reserves capacity for one more body whose sender is not proved yet; the returned function releases it. Refuses (429)
 * when a network has too many such bodies.
 */
export function reserveUnverifiedBody(service: Service, address: string): () => void {
  const { unproven } = memoryOf(service)
  const network = networkOf(address)
  const held = unproven.get(network) ?? 0
  if (held >= unprovenMax) {
    service.metrics.limitsRefused({ bucket: 'inbound_address', address })
    throw rateLimited(1)
  }
  unproven.set(network, held + 1)
  return () => {
    const remaining = (unproven.get(network) ?? 1) - 1
    if (remaining === 0) unproven.delete(network)
    else unproven.set(network, remaining)
  }
}

/** The deliveries of a channel that are under way have together at most the bytes and parts of the largest one. */
export function openChannelCapacity(service: Service, channelId: string): ChannelCapacity {
  const { underWay } = memoryOf(service)
  const all = underWay.get(channelId) ?? { deliveries: 0, bytes: 0, parts: 0 }
  underWay.set(channelId, all)
  all.deliveries += 1
  const ownUsage = { bytes: 0, parts: 0 }
  let isOpen = true
  const holding = (what: 'bytes' | 'parts', max: number) => (total: number) => {
    const more = Math.max(0, total - ownUsage[what])
    if (all.deliveries > 1 && all[what] + more > max) {
      service.metrics.limitsRefused({ bucket: 'inbound_channel', channelId })
      throw rateLimited(
        underWayWaitSeconds,
        'Earlier deliveries of this channel are still being processed: send this one again later.',
      )
    }
    all[what] += more
    ownUsage[what] += more
  }
  return {
    holdBytes: holding('bytes', deliveryBytesMax),
    holdParts: holding('parts', messagePartsMax),
    giveBack: () => {
      if (!isOpen) return
      isOpen = false
      all.deliveries -= 1
      all.bytes -= ownUsage.bytes
      all.parts -= ownUsage.parts
      if (all.deliveries === 0) underWay.delete(channelId)
    },
  }
}

function bucketsOf(service: Service, of: QuotaOwner) {
  const { inbound } = service.config
  const isAddress = 'address' in of
  const key = isAddress ? networkOf(of.address) : of.channelId
  const perMinute = isAddress ? inbound.addressPerMinute : inbound.channelPerMinute
  const mbPerMinute = isAddress ? inbound.addressMbPerMinute : inbound.channelMbPerMinute
  return {
    requests: bucketOf(service, `requests ${key}`, perMinute),
    bytes: bucketOf(service, `bytes ${key}`, mbPerMinute * megabyte),
  }
}

/** `limit` a minute; 0 is no limit. */
function bucketOf(service: Service, key: string, limit: number) {
  const { buckets } = memoryOf(service)
  const nowMs = service.clock.now()
  const bucket = buckets.get(key) ?? { level: 0, atMs: nowMs }
  const perMs = limit / minuteMs
  bucket.level = Math.max(0, bucket.level - Math.max(0, nowMs - bucket.atMs) * perMs)
  bucket.atMs = nowMs
  return {
    /** Something that is larger than the limit may come when the bucket is empty. */
    waitMs: (cost: number): number =>
      limit === 0 || bucket.level === 0 ? 0 : Math.max(0, bucket.level + Math.min(cost, limit) - limit) / perMs,
    add: (cost: number): void => {
      if (limit === 0) return
      if (buckets.size >= rememberedMax && !buckets.has(key)) evictBuckets(buckets, nowMs)
      buckets.set(key, bucket)
      // Bounded, so that after something far too large the next requests wait for about a minute and not longer.
      bucket.level = Math.min(bucket.level + cost, limit * 2)
    },
  }
}

/** Forgets the buckets that are empty. If too many are left, because very many addresses attack us, forgets all. */
function evictBuckets(buckets: Map<string, LeakyBucket>, nowMs: number): void {
  for (const [key, { atMs }] of buckets) if (nowMs - atMs >= minuteMs) buckets.delete(key)
  if (buckets.size >= rememberedMax) buckets.clear()
}
