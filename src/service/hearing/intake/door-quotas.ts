/**
 * Limits the requests and bytes that come in: of an address while the sender is unknown, of a channel once the sender
 * has proved itself. So nobody without a partner's key can use up what that partner may send. Each process counts for
 * itself, because this is about load.
 */

import { keptBeside } from '../../ground/kept-beside.ts'
import { rateLimited } from '../../limits/take-turn.ts'
import { networkOf } from '../../people/access/failed-keys.ts'
import type { Service } from '../../service.ts'

/** Whose limit something counts against. */
export type Counted = { readonly address: string } | { readonly channelId: string }

/** What comes in fills it. It runs empty at the rate of its limit for a minute. */
interface Vessel {
  level: number
  atMs: number
}

interface Memory {
  readonly vessels: Map<string, Vessel>
  /** How many bodies are being read whose sender is not proved yet, by network. */
  readonly unproven: Map<string, number>
}

const rememberedMax = 20_000
const minuteMs = 60_000
const megabyte = 1_000_000
const unprovenMax = 8

const memoryOf = keptBeside<Service, Memory>(() => ({ vessels: new Map(), unproven: new Map() }))

/** Counts a request and the bytes that it announces. Refuses it (429) when either is too much. */
export function admit(service: Service, of: Counted, bytes: number): void {
  const { requests, bytes: room } = vesselsOf(service, of)
  const waitMs = Math.max(requests.waitMs(1), room.waitMs(bytes))
  if (waitMs > 0) {
    service.metrics.limitsRefused({ bucket: 'address' in of ? 'inbound_address' : 'inbound_channel', ...of })
    throw rateLimited(Math.ceil(waitMs / 1_000))
  }
  requests.add(1)
  room.add(bytes)
}

/** Counts bytes that came without being announced. The next requests wait for them. */
export function noteBytes(service: Service, of: Counted, bytes: number): void {
  vesselsOf(service, of).bytes.add(bytes)
}

/**
 * Takes room for one more body whose sender is not proved yet; the function that it returns gives the room back.
 * Refuses (429) when a network has too many such bodies.
 */
export function takeUnprovenRoom(service: Service, address: string): () => void {
  const { unproven } = memoryOf(service)
  const network = networkOf(address)
  const held = unproven.get(network) ?? 0
  if (held >= unprovenMax) {
    service.metrics.limitsRefused({ bucket: 'inbound_address', address })
    throw rateLimited(1)
  }
  unproven.set(network, held + 1)
  return () => {
    const left = (unproven.get(network) ?? 1) - 1
    if (left === 0) unproven.delete(network)
    else unproven.set(network, left)
  }
}

function vesselsOf(service: Service, of: Counted) {
  const { inbound } = service.config
  const isAddress = 'address' in of
  const key = isAddress ? networkOf(of.address) : of.channelId
  const perMinute = isAddress ? inbound.addressPerMinute : inbound.channelPerMinute
  const mbPerMinute = isAddress ? inbound.addressMbPerMinute : inbound.channelMbPerMinute
  return {
    requests: vesselOf(service, `requests ${key}`, perMinute),
    bytes: vesselOf(service, `bytes ${key}`, mbPerMinute * megabyte),
  }
}

/** `limit` a minute; 0 is no limit. */
function vesselOf(service: Service, key: string, limit: number) {
  const { vessels } = memoryOf(service)
  const nowMs = service.clock.now()
  const vessel = vessels.get(key) ?? { level: 0, atMs: nowMs }
  const perMs = limit / minuteMs
  vessel.level = Math.max(0, vessel.level - Math.max(0, nowMs - vessel.atMs) * perMs)
  vessel.atMs = nowMs
  return {
    /** Something that is larger than the limit may come when the vessel is empty. */
    waitMs: (cost: number): number =>
      limit === 0 || vessel.level === 0
        ? 0
        : Math.max(0, vessel.level + Math.min(cost, limit) - limit) / perMs,
    add: (cost: number): void => {
      if (limit === 0) return
      if (vessels.size >= rememberedMax && !vessels.has(key)) makeRoom(vessels, nowMs)
      vessels.set(key, vessel)
      // Bounded, so that after something far too large the next requests wait for about a minute and not longer.
      vessel.level = Math.min(vessel.level + cost, limit * 2)
    },
  }
}

/**
 * Forgets the vessels that have run empty. If too many are left, because very many addresses attack us, forgets all.
 */
function makeRoom(vessels: Map<string, Vessel>, nowMs: number): void {
  for (const [key, { atMs }] of vessels) if (nowMs - atMs >= minuteMs) vessels.delete(key)
  if (vessels.size >= rememberedMax) vessels.clear()
}
