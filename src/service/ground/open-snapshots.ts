/**
 * Opens stored snapshots, wherever their bytes are: in their row, in a pack in the database, or in a pack in the file
 * store. What comes out of a pack is compared with the hash that its row has.
 */

import { hash } from 'node:crypto'
import type { Db } from '../../store/database.ts'
import type { PackedPlace } from '../../store/inbound/kept-body.ts'
import { type FramePlace, readFrames } from '../../store/looks/snapshot-packs.ts'
import {
  getSnapshotsWithAccess,
  type KeptSnapshot,
  type Snapshot,
  type SnapshotWithAccess,
} from '../../store/looks/snapshots.ts'
import type { Service } from '../service.ts'
import type { Vault } from '../vault.ts'
import { fileStoreOf } from './file-store-of.ts'
import { keptBeside } from './kept-beside.ts'
import { hashOfBody, openBody, ownHash } from './sealed-bodies.ts'
import { openFrame } from './snapshot-frames.ts'

/** What is needed to open snapshots: the vault, and where the files are. */
export type SnapshotOpener = Pick<Service, 'vault' | 'config'>

type Kept = Pick<KeptSnapshot, 'id' | 'status' | 'contentHash' | 'body'>

/**
 * The bodies, in the order given. Throws when one is not what was kept, and FileStoreError when the file store cannot
 * give a pack now.
 */
export async function openBodies(
  opener: SnapshotOpener,
  db: Db,
  kept: readonly Kept[],
): Promise<readonly Buffer[]> {
  const frames = await framesOf(
    opener,
    db,
    kept.flatMap(({ body }) => (body.kind === 'packed' ? body.place : [])),
  )
  return kept.map((each) => {
    const { id, body } = each
    if (body.kind !== 'packed') return openBody(opener.vault, body, { table: 'snapshots', id })
    const { bodyAt, bodyBytes } = body.place
    const bytes = frames.get(keyOf(body.place))?.subarray(bodyAt, bodyAt + bodyBytes)
    if (bytes === undefined || !isWhole(opener.vault, each, bytes))
      throw new Error(`The snapshot ${id} is not the one that was packed: its hash is another.`)
    return bytes
  })
}

/** Snapshots with their bodies, in the order given. Throws as `openBodies` does. */
export async function openSnapshots(
  opener: SnapshotOpener,
  db: Db,
  kept: readonly KeptSnapshot[],
): Promise<readonly Snapshot[]> {
  const bodies = await openBodies(opener, db, kept)
  return kept.map((each, place) => ({ ...each, body: bodies[place] ?? Buffer.alloc(0) }))
}

export interface OpenedSnapshot {
  readonly snapshot: Snapshot
  readonly access: SnapshotWithAccess['access']
}

/** Everything that is needed to read these snapshots, by id. Those that are gone are left out. */
export async function openWithAccess(
  opener: SnapshotOpener,
  db: Db,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, OpenedSnapshot>> {
  const found = await getSnapshotsWithAccess(db, [...new Set(ids)])
  const bodies = await openBodies(
    opener,
    db,
    found.map(({ snapshot }) => snapshot),
  )
  return new Map(
    found.map(({ snapshot, access }, place) => [
      snapshot.id,
      { snapshot: { ...snapshot, body: bodies[place] ?? Buffer.alloc(0) }, access },
    ]),
  )
}

/** Whether these are the bytes that the row was kept with. The hash of an answer has no key, that of a message has one. */
export function isWhole(
  vault: Pick<Vault, 'digest'>,
  { id, status, contentHash }: Pick<Kept, 'id' | 'status' | 'contentHash'>,
  body: Buffer,
): boolean {
  return (
    hash('sha256', Buffer.concat([Buffer.from(`${status}\n`), body]), 'buffer').equals(contentHash) ||
    hashOfBody(vault, { status, body }).equals(contentHash) ||
    // Sealed later, when the same content was there already: the frame vouches for the bytes.
    ownHash(vault, id).equals(contentHash)
  )
}

type Frames = ReadonlyMap<string, Buffer>

async function framesOf(opener: SnapshotOpener, db: Db, places: readonly PackedPlace[]): Promise<Frames> {
  const wanted = new Map<string, FramePlace>(places.map((place) => [keyOf(place), place]))
  if (wanted.size === 0) return new Map()
  const lately = latelyOpened(opener.vault)
  const known = [...wanted].flatMap(([key]) => {
    const frame = lately.get(key)
    return frame === undefined ? [] : [[key, frame] as const]
  })
  const frames = new Map(known)
  const missing = [...wanted.values()].filter((place) => !frames.has(keyOf(place)))
  const stored = missing.length === 0 ? [] : await readFrames(db, missing)
  for (const [index, place] of missing.entries()) {
    const sealed = stored[index] ?? (await fetchFrame(opener, place))
    const frame = await openFrame(opener.vault, sealed, place)
    frames.set(keyOf(place), frame)
    lately.keep(keyOf(place), frame)
  }
  return frames
}

async function fetchFrame(
  opener: SnapshotOpener,
  { packId, frameAt, frameBytes }: FramePlace,
): Promise<Buffer> {
  const found = await fileStoreOf(opener).getPart(packId, { at: frameAt, bytes: frameBytes })
  if (found === null) throw new Error(`The pack ${packId} of snapshots is not in the file store.`)
  return found
}

function keyOf({ packId, frameAt }: FramePlace): string {
  return `${packId} ${frameAt}`
}

/** Who reads history reads many snapshots of a frame, one after another. */
const latelyBytesMax = 32 * 1_048_576

interface FrameMemory {
  readonly get: (key: string) => Buffer | undefined
  readonly keep: (key: string, frame: Buffer) => void
}

const latelyOpened = keptBeside<Vault, FrameMemory>(() => {
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
    keep: (key, frame) => {
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
