/**
 * How much may come through the door: requests and bytes, of an address before anything is known of it, of a channel once
 * it is proved. Nobody can use up what a partner may send without its key. Counted in this process alone: it is about load.
 */

import { keptBeside } from '../../ground/kept-beside.ts'
import { rateLimited } from '../../limits/take-turn.ts'
import { networkOf } from '../../people/access/failed-keys.ts'
import type { Service } from '../../service.ts'

/** Whose it is counted as. */
export type Counted = { readonly address: string } | { readonly channelId: string }

/** It fills with what comes and runs dry in a minute. */
interface Vessel {
  level: number
  atMs: number
}

interface Memory {
  readonly vessels: Map<string, Vessel>
  /** Bodies that are being read and not proved, by address. */
  readonly unproven: Map<string, number>
}

const rememberedMax = 20_000
const minuteMs = 60_000
const megabyte = 1_000_000
const unprovenMax = 8

const memoryOf = keptBeside<Service, Memory>(() => ({ vessels: new Map(), unproven: new Map() }))

/** Counts a request and the bytes that it says it brings; refuses it (429) where either is too much. */
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

/** Bytes that came without being announced: the next requests wait for them. */
export function noteBytes(service: Service, of: Counted, bytes: number): void {
  vesselsOf(service, of).bytes.add(bytes)
}

/** Room for one more body that nobody has proved yet; to be given back. Refuses (429) where an address has too many. */
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
    /** What is larger than the limit has room in an empty vessel. */
    waitMs: (cost: number): number =>
      limit === 0 || vessel.level === 0
        ? 0
        : Math.max(0, vessel.level + Math.min(cost, limit) - limit) / perMs,
    add: (cost: number): void => {
      if (limit === 0) return
      if (vessels.size >= rememberedMax && !vessels.has(key)) makeRoom(vessels, nowMs)
      vessels.set(key, vessel)
      // Nobody waits longer than a minute for one that was too much.
      vessel.level = Math.min(vessel.level + cost, limit * 2)
    },
  }
}

/** What has run dry is nothing; of the others an attack by very many addresses makes us forget all. */
function makeRoom(vessels: Map<string, Vessel>, nowMs: number): void {
  for (const [key, { atMs }] of vessels) if (nowMs - atMs >= minuteMs) vessels.delete(key)
  if (vessels.size >= rememberedMax) vessels.clear()
}
