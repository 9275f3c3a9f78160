/**
 * How many wrong keys an address may send. This limits guessing, and does not harm a client with a valid key whose
 * neighbour guesses. Only this process counts, because the aim is less load and noise: a key cannot be guessed in any
 * case (178 bits).
 */

import { isIPv6 } from 'node:net'
import { acquireQuotaSlots, type RollingWindow, windowMs } from '../../domain/polling/rolling-window.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import type { Service } from '../service.ts'
import { rateLimited } from '../usage/acquire-quota-slot.ts'

/** A key that was valid within this time is always looked up. */
const goodForMs = 900_000
const rememberedMax = 10_000

interface KeyAttemptMemory {
  /** Times of wrong keys, by network. */
  readonly wrong: Map<string, RollingWindow>
  /** When a header was last found valid; never written anywhere. */
  readonly good: Map<string, number>
}

const memoryOf = memoizePerOwner<Service, KeyAttemptMemory>(() => ({ wrong: new Map(), good: new Map() }))

interface KeyAttempt {
  readonly address: string
  /** The `Authorization` header as it was sent. */
  readonly header: string
}

/**
 * Called before a key is looked up. Refuses (429) an address that has used up its wrong keys, unless the key was valid
 * recently.
 */
export function checkAddress(service: Service, { address, header }: KeyAttempt): void {
  const limit = service.config.limits.failedKeysPerMinute
  const { wrong, good } = memoryOf(service)
  const window = limit === 0 ? undefined : wrong.get(networkOf(address))
  if (window === undefined) return
  const nowMs = service.clock.now()
  // Uses no slot. The call removes what is older than a minute.
  acquireQuotaSlots(window, { nowMs, limit, count: 0 })
  if (window.accepted.length < limit) return
  if (nowMs - (good.get(header) ?? Number.NEGATIVE_INFINITY) < goodForMs) return
  throw rateLimited(Math.ceil((windowMs - (nowMs - (window.accepted[0] ?? nowMs))) / 1_000))
}

export function noteWrongKey(service: Service, address: string): void {
  const limit = service.config.limits.failedKeysPerMinute
  if (limit === 0) return
  const { wrong } = memoryOf(service)
  const nowMs = service.clock.now()
  const network = networkOf(address)
  if (wrong.size >= rememberedMax && !wrong.has(network)) evictExpired(wrong, nowMs)
  const window = wrong.get(network) ?? { accepted: [] }
  wrong.set(network, window)
  acquireQuotaSlots(window, { nowMs, limit, count: 1 })
}

export function noteGoodKey(service: Service, header: string): void {
  const { good } = memoryOf(service)
  if (good.size >= rememberedMax && !good.has(header)) good.clear()
  good.set(header, service.clock.now())
}

/** What an address is counted as: whoever has one IPv6 address has 2^64 of them. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [before = '', after = ''] = address.split('::', 2)
  const head = before.split(':').filter((group) => group !== '')
  const tail = after.split(':').filter((group) => group !== '')
  const zeros = address.includes('::') ? Array.from({ length: 8 - head.length - tail.length }, () => '0') : []
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}

function evictExpired(wrong: Map<string, RollingWindow>, nowMs: number): void {
  for (const [network, { accepted }] of wrong) {
    if ((accepted.at(-1) ?? 0) <= nowMs - windowMs) wrong.delete(network)
  }
  if (wrong.size >= rememberedMax) wrong.clear()
}
