/**
 * The body of a backup file: numbered chunks, each with a tag over its bytes, its number, whether it is the last, and
 * the head of the file. So a changed byte, chunks in another order, a chunk of another file, a cut file and a file with
 * something behind its end are all found. With a key the tag is that of AES-256-GCM and the bytes are encrypted (the
 * STREAM construction); without one it is some bytes of a SHA-256, which shows damage, but not who made the file.
 */

import { createCipheriv, createDecipheriv, createHash, timingSafeEqual } from 'node:crypto'
import { Transform } from 'node:stream'
import { BackupFault } from './backup-fault.ts'

export interface ChunkEncryption {
  /** Of this file alone, because the nonces are the numbers of its chunks. Null: nothing is encrypted. */
  readonly key: Buffer | null
  /** SHA-256 of the head of the file. */
  readonly headHash: Buffer
}

const chunkBytes = 262_144
const tagBytes = 16
const lastBit = 0x8000_0000

/** Bytes of any length in, framed chunks out. */
export function encryptChunks(encryption: ChunkEncryption): Transform {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let number = 0
  const frame = (bytes: Buffer, isLast: boolean): Buffer => {
    const { body, tag } = encryptChunk(encryption, { number, isLast }, bytes)
    number += 1
    const length = Buffer.alloc(4)
    length.writeUInt32BE((body.length | (isLast ? lastBit : 0)) >>> 0)
    return Buffer.concat([length, body, tag])
  }
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      waiting.push(bytes)
      waitingBytes += bytes.length
      if (waitingBytes > chunkBytes) {
        const all = Buffer.concat(waiting)
        let from = 0
        // One byte at least stays behind, because the last chunk is known only at the end.
        for (; all.length - from > chunkBytes; from += chunkBytes)
          this.push(frame(all.subarray(from, from + chunkBytes), false))
        waiting = [all.subarray(from)]
        waitingBytes = all.length - from
      }
      done()
    },
    flush(done) {
      done(null, frame(Buffer.concat(waiting), true))
    },
  })
}

/** The reverse. Fails with a `BackupFault` at the first chunk that is not what was written. */
export function decryptChunks(encryption: ChunkEncryption): Transform {
  let rest: Buffer = Buffer.alloc(0)
  let number = 0
  let isEnded = false
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      try {
        rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
        let from = 0
        while (rest.length - from >= 4) {
          if (isEnded) throw new BackupFault('The backup is damaged: there is data after its end.')
          const length = rest.readUInt32BE(from)
          const isLast = length >= lastBit
          const bodyBytes = isLast ? length - lastBit : length
          if (bodyBytes > chunkBytes) throw makeDamageFault(number)
          const end = from + 4 + bodyBytes + tagBytes
          if (rest.length < end) break
          const body = rest.subarray(from + 4, from + 4 + bodyBytes)
          const opened = decryptChunk(encryption, { number, isLast }, { body, tag: rest.subarray(end - tagBytes, end) })
          if (opened === null) throw makeDamageFault(number)
          this.push(opened)
          number += 1
          isEnded = isLast
          from = end
        }
        rest = rest.subarray(from)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      if (isEnded && rest.length === 0) return done()
      done(
        new BackupFault(
          isEnded
            ? 'The backup is damaged: there is data after its end.'
            : 'The backup is not complete: its end is missing.',
        ),
      )
    },
  })
}

function makeDamageFault(number: number): BackupFault {
  const megabytes = Math.round((number * chunkBytes) / 1_000_000)
  return new BackupFault(`The backup is damaged: bytes about ${megabytes} MB from its start were changed.`)
}

interface ChunkPosition {
  readonly number: number
  readonly isLast: boolean
}

interface EncodedChunk {
  readonly body: Buffer
  readonly tag: Buffer
}

function encryptChunk({ key, headHash }: ChunkEncryption, place: ChunkPosition, bytes: Buffer): EncodedChunk {
  const nonce = nonceOf(place)
  if (key === null) return { body: bytes, tag: plainTag(headHash, nonce, bytes) }
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(headHash)
  const body = Buffer.concat([cipher.update(bytes), cipher.final()])
  return { body, tag: cipher.getAuthTag() }
}

/** Null when the tag does not fit. */
function decryptChunk(
  { key, headHash }: ChunkEncryption,
  place: ChunkPosition,
  { body, tag }: EncodedChunk,
): Buffer | null {
  const nonce = nonceOf(place)
  if (key === null) return timingSafeEqual(tag, plainTag(headHash, nonce, body)) ? body : null
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(headHash)
  decipher.setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(body), decipher.final()])
  } catch {
    return null
  }
}

/** The number and whether it is the last: so neither can be changed without notice. */
function nonceOf({ number, isLast }: ChunkPosition): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number), 3)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

function plainTag(headHash: Buffer, nonce: Buffer, bytes: Buffer): Buffer {
  return createHash('sha256').update(headHash).update(nonce).update(bytes).digest().subarray(0, tagBytes)
}
