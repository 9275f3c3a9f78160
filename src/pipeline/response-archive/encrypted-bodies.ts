/**
 * Bodies of messages are stored encrypted, each one for its own row. They are encrypted and decrypted only here. A body
 * is compressed first where that saves space, because the database cannot compress what is encrypted.
 */

import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { deliveryBytesMax } from '../../platform/delivery-size.ts'
import type { Encryption } from '../../platform/encryption.ts'
import type { Snapshot } from './snapshots-sql.ts'
import type { StoredBody } from './stored-body-sql.ts'

/** The row that the body is encrypted for. */
export interface BodyPlace {
  readonly table: 'inbound_messages' | 'snapshots'
  readonly id: string
}

const isPacked = 1
/** Compressing a smaller body saves too little to be worth the time. */
const packedBytesMin = 512
/**
 * The fastest level: the database compresses no better, and the largest body that the API accepts must not take long.
 */
const packing = { level: 1 }

type BodyEncryption = Pick<Encryption, 'encryptBytes' | 'digest'>

/** The encrypted body, and the hash by which it is found when it comes again. */
interface EncryptedBody {
  readonly contentHash: Buffer
  readonly encryptedBody: Buffer
}

/** `packed`: the body as `packBody` makes it. */
export function encryptMessage(
  encryption: BodyEncryption,
  { id, body, packed = packBody(body) }: { readonly id: string; readonly body: Buffer; readonly packed?: Buffer },
): EncryptedBody {
  const place = nameOf({ table: 'inbound_messages', id })
  return { contentHash: encryption.digest(body), encryptedBody: encryption.encryptBytes(packed, place) }
}

export function encryptSnapshot(
  encryption: BodyEncryption,
  { id, status, body }: Pick<Snapshot, 'id' | 'status' | 'body'>,
): EncryptedBody {
  const contentHash = hashOfBody(encryption, { status, body })
  return {
    contentHash,
    encryptedBody: encryption.encryptBytes(packBody(body), nameOf({ table: 'snapshots', id })),
  }
}

/** The hash by which the same body is recognized. */
export function hashOfBody(
  encryption: Pick<Encryption, 'digest'>,
  { status, body }: Pick<Snapshot, 'status' | 'body'>,
): Buffer {
  return encryption.digest(Buffer.concat([Buffer.from(`${status}\n`), body]))
}

/**
 * The hash of a row whose content is encrypted in another row already: the content is found by that row, and this one
 * by nobody.
 */
export function deriveUniqueHash(encryption: Pick<Encryption, 'digest'>, id: string): Buffer {
  return encryption.digest(Buffer.from(`the same as another, ${id}`))
}

/** Throws an error that names the row when the stored bytes were not encrypted for this row by this installation. */
export function decryptBody(encryption: Pick<Encryption, 'decryptBytes'>, body: StoredBody, place: BodyPlace): Buffer {
  if (body.kind === 'clear') return body.bytes
  try {
    return unpackBody(encryption.decryptBytes(body.encrypted, nameOf(place)))
  } catch (cause) {
    const why = 'it was encrypted for another row or with another secret, or it is damaged'
    throw new Error(`The body of ${nameOf(place)} does not open: ${why}.`, { cause })
  }
}

function nameOf({ table, id }: BodyPlace): string {
  return `${table} ${id}`
}

/** The first byte records whether the rest is compressed. A body above the limit for decompression stays as it is. */
export function packBody(body: Buffer): Buffer {
  if (body.length >= packedBytesMin && body.length <= deliveryBytesMax) {
    const small = deflateRawSync(body, packing)
    if (small.length < body.length) return Buffer.concat([Buffer.of(isPacked), small])
  }
  return Buffer.concat([Buffer.of(0), body])
}

function unpackBody(bytes: Buffer): Buffer {
  const rest = bytes.subarray(1)
  return bytes[0] === isPacked ? inflateRawSync(rest, { maxOutputLength: deliveryBytesMax }) : rest
}

/**
 * The key under which a delivery is stored. It is a hash, because a sender's own id may be made of the content of the
 * delivery.
 */
export function hashDeliveryKey(
  encryption: Pick<Encryption, 'digest'>,
  { deliveryKey }: { readonly deliveryKey: string | null },
): string | null {
  return deliveryKey && encryption.digest(Buffer.from(deliveryKey)).toString('base64url')
}
