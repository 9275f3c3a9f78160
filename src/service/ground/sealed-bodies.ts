/**
 * What came unasked lies sealed, each body for its own row; here it is sealed and opened, and nowhere else. It is packed
 * first where that saves, for what is sealed cannot be packed by the database.
 */

import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { KeptBody } from '../../store/kept-body.ts'
import type { KeptSnapshot, Snapshot } from '../../store/snapshots.ts'
import type { Vault } from '../vault.ts'
import { deliveryBytesMax } from './delivery-size.ts'

/** What it is sealed for. */
export interface BodyPlace {
  readonly table: 'inbound_messages' | 'snapshots'
  readonly id: string
}

const isPacked = 1
/** Less saves nothing worth the time. */
const packedBytesMin = 512
/** The database packs no better than the fastest way, and what is as large as a door lets through must not take long. */
const packing = { level: 1 }

type Sealing = Pick<Vault, 'sealBytes' | 'digest'>

/** As it is kept, and what it is found by when it comes again. */
interface Sealed {
  readonly contentHash: Buffer
  readonly sealedBody: Buffer
}

export function sealedMessage(
  vault: Sealing,
  { id, body }: { readonly id: string; readonly body: Buffer },
): Sealed {
  return { contentHash: vault.digest(body), sealedBody: seal(vault, body, { table: 'inbound_messages', id }) }
}

export function sealedSnapshot(
  vault: Sealing,
  { id, status, body }: Pick<Snapshot, 'id' | 'status' | 'body'>,
): Sealed {
  const contentHash = hashOfBody(vault, { status, body })
  return { contentHash, sealedBody: seal(vault, body, { table: 'snapshots', id }) }
}

/** By which a body is known again. */
export function hashOfBody(
  vault: Pick<Vault, 'digest'>,
  { status, body }: Pick<Snapshot, 'status' | 'body'>,
): Buffer {
  return vault.digest(Buffer.concat([Buffer.from(`${status}\n`), body]))
}

function seal(vault: Sealing, body: Buffer, place: BodyPlace): Buffer {
  return vault.sealBytes(packed(body), nameOf(place))
}

/** Throws, naming the row, where what lies there is not what was sealed for it by this installation. */
export function openBody(vault: Pick<Vault, 'openBytes'>, body: KeptBody, place: BodyPlace): Buffer {
  if (body.kind === 'clear') return body.bytes
  try {
    return unpacked(vault.openBytes(body.sealed, nameOf(place)))
  } catch (cause) {
    const why = 'it was sealed for another row, by another secret, or is damaged'
    throw new Error(`The body of ${nameOf(place)} does not open: ${why}.`, { cause })
  }
}

export function openSnapshot(vault: Pick<Vault, 'openBytes'>, kept: KeptSnapshot): Snapshot {
  return { ...kept, body: openBody(vault, kept.body, { table: 'snapshots', id: kept.id }) }
}

function nameOf({ table, id }: BodyPlace): string {
  return `${table} ${id}`
}

/** One byte says whether it is packed. What is larger than is ever unpacked is left as it is. */
function packed(body: Buffer): Buffer {
  if (body.length >= packedBytesMin && body.length <= deliveryBytesMax) {
    const small = deflateRawSync(body, packing)
    if (small.length < body.length) return Buffer.concat([Buffer.of(isPacked), small])
  }
  return Buffer.concat([Buffer.of(0), body])
}

function unpacked(bytes: Buffer): Buffer {
  const rest = bytes.subarray(1)
  return bytes[0] === isPacked ? inflateRawSync(rest, { maxOutputLength: deliveryBytesMax }) : rest
}
