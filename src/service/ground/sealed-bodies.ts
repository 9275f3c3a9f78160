/**
 * Bodies of messages are stored encrypted, each one for its own row. They are encrypted and decrypted only here. A body
 * is compressed first where that saves space, because the database cannot compress what is encrypted.
 */

import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { StoredBody } from '../../store/inbound/kept-body.ts'
import type { Snapshot } from '../../store/looks/snapshots.ts'
import type { Vault } from '../vault.ts'
import { deliveryBytesMax } from './delivery-size.ts'

/** The row that the body is encrypted for. */
export interface BodyPlace {
  readonly table: 'inbound_messages' | 'snapshots'
  readonly id: string
}

const isPacked = 1
/** Compressing a smaller body saves too little to be worth the time. */
const packedBytesMin = 512
/**
 * The fastest level: the database compresses no better, and the largest body that a door accepts must not take long.
 */
const packing = { level: 1 }

type Sealing = Pick<Vault, 'sealBytes' | 'digest'>

/** The encrypted body, and the hash by which it is found when it comes again. */
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

/** The hash by which the same body is recognized. */
export function hashOfBody(
  vault: Pick<Vault, 'digest'>,
  { status, body }: Pick<Snapshot, 'status' | 'body'>,
): Buffer {
  return vault.digest(Buffer.concat([Buffer.from(`${status}\n`), body]))
}

/**
 * The hash of a row whose content is sealed in another row already: the content is found by that row, and this one by
 * nobody.
 */
export function ownHash(vault: Pick<Vault, 'digest'>, id: string): Buffer {
  return vault.digest(Buffer.from(`the same as another, ${id}`))
}

function seal(vault: Sealing, body: Buffer, place: BodyPlace): Buffer {
  return vault.sealBytes(packed(body), nameOf(place))
}

/** Throws an error that names the row when the stored bytes were not sealed for this row by this installation. */
export function openBody(vault: Pick<Vault, 'openBytes'>, body: StoredBody, place: BodyPlace): Buffer {
  if (body.kind === 'clear') return body.bytes
  try {
    return unpacked(vault.openBytes(body.sealed, nameOf(place)))
  } catch (cause) {
    const why = 'it was sealed for another row, by another secret, or is damaged'
    throw new Error(`The body of ${nameOf(place)} does not open: ${why}.`, { cause })
  }
}

function nameOf({ table, id }: BodyPlace): string {
  return `${table} ${id}`
}

/** The first byte says whether the rest is compressed. A body above the limit for decompression stays as it is. */
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

/**
 * The key under which a delivery is kept. It is a hash, because a sender's own id may be made of what the delivery
 * says.
 */
export function keyedDelivery(
  vault: Pick<Vault, 'digest'>,
  { deliveryKey }: { readonly deliveryKey: string | null },
): string | null {
  return deliveryKey && vault.digest(Buffer.from(deliveryKey)).toString('base64url')
}
