/**
 * Opens stored snapshots, wherever their bytes are: in their row, in a pack in the database, or in a pack in the file
 * store. The content of a pack is compared with the hash that its row has.
 */

import { hash } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import type { Service } from '../../modules/service.ts'
import type { Encryption } from '../../platform/encryption.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import { decryptBody, deriveUniqueHash, hashOfBody } from './encrypted-bodies.ts'
import { fileStoreOf } from './file-store.ts'
import { decryptFrame } from './snapshot-frames.ts'
import { type FramePlace, readFrames } from './snapshot-packs-sql.ts'
import {
  getSnapshotAccesses,
  getSnapshots,
  type Snapshot,
  type SnapshotAccess,
  type StoredSnapshot,
} from './snapshots-sql.ts'
import type { PackedPlace } from './stored-body-sql.ts'

/** What is needed to open snapshots: the encryption, and where the files are. */
export type SnapshotOpener = Pick<Service, 'encryption' | 'config'>

type StoredBodyRow = Pick<StoredSnapshot, 'id' | 'status' | 'contentHash' | 'body'>

/**
 * The bodies, in the order given. Throws when one differs from what was stored, and FileStoreError when the file store
 * cannot return a pack now.
 */
export async function openBodies(
  opener: SnapshotOpener,
  db: Db,
  storedSnapshots: readonly StoredBodyRow[],
): Promise<readonly Buffer[]> {
  const frames = await framesOf(
    opener,
    db,
    storedSnapshots.flatMap(({ body }) => (body.kind === 'packed' ? body.place : [])),
  )
  return storedSnapshots.map((each) => {
    const { id, body } = each
    if (body.kind !== 'packed') return decryptBody(opener.encryption, body, { table: 'snapshots', id })
    const { bodyAt, bodyBytes } = body.place
    const bytes = frames.get(keyOf(body.place))?.subarray(bodyAt, bodyAt + bodyBytes)
    if (bytes === undefined || !matchesContentHash(opener.encryption, each, bytes))
      throw new Error(`The snapshot ${id} differs from the one that was packed: its hash is different.`)
    return bytes
  })
}

/** Snapshots with their bodies, in the order given. Throws as `openBodies` does. */
export async function openSnapshots(
  opener: SnapshotOpener,
  db: Db,
  storedSnapshots: readonly StoredSnapshot[],
): Promise<readonly Snapshot[]> {
  const bodies = await openBodies(opener, db, storedSnapshots)
  return storedSnapshots.map((each, place) => ({ ...each, body: bodies[place] ?? Buffer.alloc(0) }))
}

export interface OpenedSnapshot {
  readonly snapshot: Snapshot
  readonly access: SnapshotAccess
}

/** Everything that is needed to read these snapshots, by id. Those that are gone are left out. */
export async function openWithAccess(
  opener: SnapshotOpener,
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OpenedSnapshot>> {
  const accesses = await getSnapshotAccesses(db, ids)
  const opened = await openSnapshots(opener, db, await getSnapshots(db, [...accesses.keys()]))
  return new Map(
    opened.flatMap((snapshot) => {
      const access = accesses.get(snapshot.id)
      return access === undefined ? [] : [[snapshot.id, { snapshot, access }] as const]
    }),
  )
}

/**
 * Whether these are the bytes that the row was stored with. The hash of an answer has no key, that of a message has
 * one.
 */
export function matchesContentHash(
  encryption: Pick<Encryption, 'digest'>,
  { id, status, contentHash }: Pick<StoredBodyRow, 'id' | 'status' | 'contentHash'>,
  body: Buffer,
): boolean {
  return (
    hash('sha256', Buffer.concat([Buffer.from(`${status}\n`), body]), 'buffer').equals(contentHash) ||
    hashOfBody(encryption, { status, body }).equals(contentHash) ||
    // Encrypted later, when the same content was there already: the frame guarantees the bytes.
    deriveUniqueHash(encryption, id).equals(contentHash)
  )
}

type Frames = ReadonlyMap<string, Buffer>

async function framesOf(opener: SnapshotOpener, db: Db, places: readonly PackedPlace[]): Promise<Frames> {
  const wanted = new Map<string, FramePlace>(places.map((place) => [keyOf(place), place]))
  if (wanted.size === 0) return new Map()
  const lately = latelyOpened(opener.encryption)
  const known = [...wanted].flatMap(([key]) => {
    const frame = lately.get(key)
    return frame === undefined ? [] : [[key, frame] as const]
  })
  const frames = new Map(known)
  const missing = [...wanted.values()].filter((place) => !frames.has(keyOf(place)))
  const stored = missing.length === 0 ? [] : await readFrames(db, missing)
  for (const [index, place] of missing.entries()) {
    const encryptedFrame = stored[index] ?? (await fetchFrame(opener, place))
    const frame = await decryptFrame(opener.encryption, encryptedFrame, place)
    frames.set(keyOf(place), frame)
    lately.put(keyOf(place), frame)
  }
  return frames
}

async function fetchFrame(opener: SnapshotOpener, { packId, frameAt, frameBytes }: FramePlace): Promise<Buffer> {
  const found = await fileStoreOf(opener).getRange(packId, { at: frameAt, bytes: frameBytes })
  if (found === null) throw new Error(`The pack ${packId} of snapshots is not in the file store.`)
  return found
}

function keyOf({ packId, frameAt }: FramePlace): string {
  return `${packId} ${frameAt}`
}

/** Whoever reads history reads many snapshots of a frame, one after another. */
const latelyBytesMax = 32 * 1_048_576

interface FrameMemory {
  readonly get: (key: string) => Buffer | undefined
  readonly put: (key: string, frame: Buffer) => void
}

const latelyOpened = memoizePerOwner<Encryption, FrameMemory>(() => {
  const frames = new Map<string, Buffer>()
  let bytes = 0
  return {
    get: (key) => {
      const frame = frames.get(key)
      if (frame === undefined) return undefined
      frames.delete(key)
      frames.set(key, frame)
      return frame
    },
    put: (key, frame) => {
      if (frames.has(key) || frame.length > latelyBytesMax) return
      frames.set(key, frame)
      bytes += frame.length
      for (const [oldest, { length }] of frames) {
        if (bytes <= latelyBytesMax) return
        frames.delete(oldest)
        bytes -= length
      }
    },
  }
})
