/**
 * Frames: the bodies of some snapshots behind one another, compressed (Zstandard, RFC 8878) and then encrypted for
 * their pack and their place in it.
 */

import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { deliveryBytesMax } from '../../platform/delivery-size.ts'
import type { Encryption } from '../../platform/encryption.ts'
import type { FramePlace } from './snapshot-packs-sql.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** A higher level saves little more and takes much longer. */
const level = 9

/** A frame is closed when its bodies have so many bytes. One with a single body may be larger. */
export const frameBytesMax = 1_048_576

/** A larger body is not packed. */
export const packedBodyBytesMax = deliveryBytesMax

export async function encryptFrame(
  encryption: Pick<Encryption, 'encryptBytes'>,
  bodies: readonly Buffer[],
  place: Pick<FramePlace, 'packId' | 'frameAt'>,
): Promise<Buffer> {
  const small = await compress(Buffer.concat(bodies), {
    params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 },
  })
  return encryption.encryptBytes(small, nameOf(place))
}

/** The bodies behind one another. Throws when these are not the bytes that were encrypted for this place. */
export async function decryptFrame(
  encryption: Pick<Encryption, 'decryptBytes'>,
  encrypted: Buffer,
  place: Pick<FramePlace, 'packId' | 'frameAt'>,
): Promise<Buffer> {
  try {
    return await decompress(encryption.decryptBytes(encrypted, nameOf(place)), {
      maxOutputLength: frameBytesMax + packedBodyBytesMax,
    })
  } catch (cause) {
    const why = 'it was encrypted with another secret, or it is damaged'
    throw new Error(`Frame ${place.frameAt} of the pack ${place.packId} does not open: ${why}.`, { cause })
  }
}

function nameOf({ packId, frameAt }: Pick<FramePlace, 'packId' | 'frameAt'>): string {
  return `snapshot_packs ${packId} ${frameAt}`
}
