// Identifiers (RFC 9562). New things get a UUID v7, in the order in which they are made. Things that follow from a name
// get a UUID v5, so that folding the ledger again gives the same ids.
import { hash, randomFillSync } from 'node:crypto'

/** The namespace of every name-based id of Landfall. A change of it would change all these ids. */
export const LANDFALL_NAMESPACE = '5d0f4c1e-8a7b-4f36-9c52-1e6b7a3d2f90'

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

// Random bytes are fetched a few thousand at a time, because fetching ten bytes from the system for each id would be
// most of the cost.
const pool = new Uint8Array(8_192)
let poolUsed = pool.length
let lastMs = -1
let counter = 0

/**
 * Sorted by time. A counter preserves the order of ids that one process creates within one millisecond (RFC 9562, 6.2).
 */
export function uuidV7(nowMs: number): string {
  if (poolUsed + 10 > pool.length) {
    randomFillSync(pool)
    poolUsed = 0
  }
  const at = poolUsed
  poolUsed += 10
  const byte = (index: number) => pool[at + index] ?? 0
  // The counter starts in its lower half, which leaves at least 2,048 more ids in the same millisecond. After that the
  // order is lost.
  counter = nowMs === lastMs && counter < 0xfff ? counter + 1 : ((byte(0) << 8) | byte(1)) & 0x7ff
  lastMs = nowMs
  const time = Math.floor(nowMs)
  const high = Math.floor(time / 0x1_0000_0000)
  return formatUuid([
    (high >>> 8) & 0xff,
    high & 0xff,
    (time >>> 24) & 0xff,
    (time >>> 16) & 0xff,
    (time >>> 8) & 0xff,
    time & 0xff,
    0x70 | (counter >>> 8),
    counter & 0xff,
    0x80 | (byte(2) & 0x3f),
    byte(3),
    byte(4),
    byte(5),
    byte(6),
    byte(7),
    byte(8),
    byte(9),
  ])
}

/** The first UUID v7 of this moment: ids that were made before are less. */
export function uuidV7At(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** The same moment and name always give the same id. Ids sort by their moments. */
export function namedUuidV7(atMs: number, name: string): string {
  const bytes = hash('sha1', `${atMs} ${name}`, 'buffer').subarray(0, 16)
  bytes.writeUIntBE(Math.floor(atMs), 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return formatUuid(bytes)
}

/** The time of a UUID v7, in milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16)
}

/** The same namespace and name always give the same id. Throws when the namespace is not a UUID. */
export function uuidV5(namespace: string, name: string): string {
  const digest = hash('sha1', Buffer.concat([namespaceBytes(namespace), Buffer.from(name, 'utf8')]), 'hex')
  const variant = '89ab'.charAt(Number.parseInt(digest.charAt(16), 16) & 3)
  const middle = `${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}`
  return `${digest.slice(0, 8)}-${middle}-${digest.slice(20, 32)}`
}

const namespaces = new Map<string, Buffer>()

function namespaceBytes(namespace: string): Buffer {
  const known = namespaces.get(namespace)
  if (known !== undefined) return known
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(namespace)) throw new Error(`Not a UUID: ${namespace}`)
  const bytes = Buffer.from(namespace.replaceAll('-', ''), 'hex')
  // There are usually few namespaces. The limit is for a caller that uses ids as namespaces, which would otherwise fill
  // the memory.
  if (namespaces.size < 1_000) namespaces.set(namespace, bytes)
  return bytes
}

function formatUuid(bytes: ArrayLike<number>): string {
  let text = ''
  for (let index = 0; index < 16; index += 1) {
    if (index === 4 || index === 6 || index === 8 || index === 10) text += '-'
    text += hex[bytes[index] ?? 0]
  }
  return text
}
