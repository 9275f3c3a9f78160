/**
 * Frames: the bodies of some snapshots behind one another, compressed (Zstandard, RFC 8878) and then encrypted for
 * their pack and their place in it.
 */

import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import type { FramePlace } from '../../store/looks/snapshot-packs.ts'
import type { Vault } from '../vault.ts'
import { deliveryBytesMax } from './delivery-size.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** A higher level saves little more and takes much longer (`npm run bench -- packs`). */
const level = 9

/** A frame is closed when its bodies have so many bytes. One with a single body may be larger. */
export const frameBytesMax = 1_048_576

/** A larger body is not packed. */
export const packedBodyBytesMax = deliveryBytesMax

export async function sealFrame(
  vault: Pick<Vault, 'sealBytes'>,
  bodies: readonly Buffer[],
  place: Pick<FramePlace, 'packId' | 'frameAt'>,
): Promise<Buffer> {
  const small = await compress(Buffer.concat(bodies), {
    params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 },
  })
  return vault.sealBytes(small, nameOf(place))
}

/** The bodies behind one another. Throws when these are not the bytes that were sealed for this place. */
export async function openFrame(
  vault: Pick<Vault, 'openBytes'>,
  sealed: Buffer,
  place: Pick<FramePlace, 'packId' | 'frameAt'>,
): Promise<Buffer> {
  try {
    return await decompress(vault.openBytes(sealed, nameOf(place)), {
      maxOutputLength: frameBytesMax + packedBodyBytesMax,
    })
  } catch (cause) {
    const why = 'it was sealed by another secret, or is damaged'
    throw new Error(`Frame ${place.frameAt} of the pack ${place.packId} does not open: ${why}.`, { cause })
  }
}

function nameOf({ packId, frameAt }: Pick<FramePlace, 'packId' | 'frameAt'>): string {
  return `snapshot_packs ${packId} ${frameAt}`
}
