/**
 * What is inside a backup: entries, one after the other, each with a line about it, its bytes in pieces, and its
 * checksum. Written and read as a stream: an entry may be larger than the memory.
 */

import { createHash } from 'node:crypto'
import { BackupFault } from './backup-fault.ts'

/** What an entry was found to be when its last byte was written or read. */
export interface EntryEnd {
  readonly bytes: number
  /** Line feeds. For a table these are its rows. */
  readonly lines: number
  readonly sha256: string
}

export interface BackupEntry {
  /** The line about it, as it was written. */
  readonly about: unknown
  /** Its bytes. Must be read to their end before the next entry; the end is checked then. */
  readonly pieces: AsyncIterable<Buffer>
}

const kinds = { about: 1, piece: 2, end: 3 } as const
const pieceBytesMax = 1_048_576
const headBytes = 5

/** Yields one entry; `onEnd` gets its end. */
export async function* writeEntry(
  about: unknown,
  pieces: AsyncIterable<Buffer>,
  onEnd: (end: EntryEnd) => void,
): AsyncGenerator<Buffer> {
  yield encodeRecord(kinds.about, Buffer.from(JSON.stringify(about)))
  const tally = tallyBytes()
  for await (const piece of pieces) {
    tally.add(piece)
    for (let from = 0; from < piece.length; from += pieceBytesMax)
      yield encodeRecord(kinds.piece, piece.subarray(from, from + pieceBytesMax))
  }
  const end = tally.end()
  yield encodeRecord(kinds.end, Buffer.from(JSON.stringify(end)))
  onEnd(end)
}

/** Throws a `BackupFault` when an entry is not what was written. */
export async function* readEntries(source: AsyncIterable<Buffer>): AsyncGenerator<BackupEntry> {
  const records = readRecords(source)
  for (;;) {
    const next = await records.next()
    if (next.done === true) return
    if (next.value.kind !== kinds.about) throw new BackupFault('The backup is damaged: an entry has no beginning.')
    let isRead = false
    const pieces = async function* (): AsyncGenerator<Buffer> {
      const tally = tallyBytes()
      for (;;) {
        const entryRecord = await records.next()
        if (entryRecord.done === true) throw new BackupFault('The backup is not complete: an entry has no end.')
        if (entryRecord.value.kind === kinds.piece) {
          tally.add(entryRecord.value.bytes)
          yield entryRecord.value.bytes
          continue
        }
        const end: unknown = JSON.parse(entryRecord.value.bytes.toString())
        if (entryRecord.value.kind !== kinds.end || JSON.stringify(end) !== JSON.stringify(tally.end()))
          throw new BackupFault('The backup is damaged: the checksum of an entry is wrong.')
        isRead = true
        return
      }
    }
    yield { about: JSON.parse(next.value.bytes.toString()), pieces: pieces() }
    if (!isRead) throw new Error('an entry was not read to its end')
  }
}

/** The complete content of a small entry. */
export async function readWhole(entry: BackupEntry): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(entry.pieces))
}

function encodeRecord(kind: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt8(kind)
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

interface EntryRecord {
  readonly kind: number
  readonly bytes: Buffer
}

async function* readRecords(source: AsyncIterable<Buffer>): AsyncGenerator<EntryRecord> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const bytes of source) {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    let from = 0
    while (rest.length - from >= headBytes) {
      const length = rest.readUInt32BE(from + 1)
      if (length > pieceBytesMax * 16) throw new BackupFault('The backup is damaged: a piece is too long.')
      const end = from + headBytes + length
      if (rest.length < end) break
      yield { kind: rest.readUInt8(from), bytes: rest.subarray(from + headBytes, end) }
      from = end
    }
    rest = rest.subarray(from)
  }
  if (rest.length > 0) throw new BackupFault('The backup is not complete: an entry has no end.')
}

function tallyBytes(): { readonly add: (piece: Buffer) => void; readonly end: () => EntryEnd } {
  const hash = createHash('sha256')
  let bytes = 0
  let lines = 0
  return {
    add: (piece) => {
      hash.update(piece)
      bytes += piece.length
      for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1
    },
    end: () => ({ bytes, lines, sha256: hash.copy().digest('hex') }),
  }
}
