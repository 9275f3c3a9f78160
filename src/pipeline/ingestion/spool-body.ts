/**
 * Reads a body whose signature is not checked yet: hashes it while it comes, and holds it in memory up to a small size.
 * A longer body goes to a file without a name, so that nothing of it is left, even if the process is killed.
 */

import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memoryBytesMax = 65_536

export interface SpooledBody {
  readonly byteCount: number
  /** The complete body, to be read once it is proved. */
  readonly read: () => Promise<Buffer>
  readonly close: () => Promise<void>
}

/** Null when the body is longer than `bytesMax`. `hash` gets each piece as it comes. */
export async function spoolBody(
  pieces: AsyncIterable<Buffer>,
  { bytesMax, hash }: { readonly bytesMax: number; readonly hash: (piece: Buffer) => void },
): Promise<SpooledBody | null> {
  let held: Buffer[] = []
  let heldBytes = 0
  let byteCount = 0
  let file: FileHandle | null = null
  try {
    for await (const piece of pieces) {
      byteCount += piece.length
      if (byteCount > bytesMax) {
        await file?.close()
        return null
      }
      hash(piece)
      held.push(piece)
      heldBytes += piece.length
      if (heldBytes <= memoryBytesMax) continue
      file ??= await openUnlinkedFile()
      await file.writev(held)
      held = []
      heldBytes = 0
    }
  } catch (error) {
    await file?.close()
    throw error
  }
  const spool = file
  return {
    byteCount,
    read: async () =>
      Buffer.concat([...(spool === null ? [] : [await readFrom(spool, byteCount - heldBytes)]), ...held]),
    close: async () => spool?.close(),
  }
}

async function openUnlinkedFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-body-'))
  try {
    return await open(join(folder, 'body'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function readFrom(file: FileHandle, byteCount: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(byteCount)
  let length = 0
  while (length < byteCount) {
    const { bytesRead } = await file.read(buffer, length, byteCount - length, length)
    if (bytesRead === 0) throw new Error('the spooled body is shorter than it was')
    length += bytesRead
  }
  return buffer
}
