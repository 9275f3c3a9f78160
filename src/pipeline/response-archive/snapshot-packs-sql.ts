/**
 * Packs: old snapshots, compressed together. Those of one poll target are in one frame, so that repeated content is
 * stored once. Frames are encrypted, and each is read by its place (docs/decisions/0037).
 */

import type { Db } from '../../db/database.ts'
import type { PackedPlace } from './stored-body-sql.ts'

export interface SnapshotPack {
  readonly id: string
  readonly madeAt: string
  readonly snapshotIds: readonly string[]
  readonly bodyBytes: number
  readonly sha256: Buffer
  readonly body: Buffer
}

/** A walk through all snapshots in order of id: of channels that push, or of those that are polled. */
export interface SnapshotWalk {
  readonly isPushed: boolean
  /** The last id that was checked. */
  readonly afterId: string
}

/** The walks that may continue at this time and that no other process has, locked until the transaction ends. */
export async function lockWalks(db: Db, now: string): Promise<readonly SnapshotWalk[]> {
  const { rows } = await db.query<SnapshotWalk>({
    name: 'snapshot_walks_lock',
    text: `select is_told as "isPushed", after_id as "afterId" from snapshot_walks
            where not_before <= $1 order by is_told for update skip locked`,
    values: [now],
  })
  return rows
}

export async function updateWalk(db: Db, { isPushed, afterId }: SnapshotWalk): Promise<void> {
  await db.query({
    name: 'snapshot_walk_update',
    text: `update snapshot_walks set after_id = $2 where is_told = $1`,
    values: [isPushed, afterId],
  })
}

/** Lets the walks begin again, or continue before their time. */
export async function hurryWalks(db: Db, of: { readonly now: string; readonly again: boolean }): Promise<void> {
  await db.query({
    name: 'snapshot_walks_hurry',
    text: `update snapshot_walks set not_before = least(not_before, $1),
                  after_id = case when $2 then '00000000-0000-0000-0000-000000000000' else after_id end`,
    values: [of.now, of.again],
  })
}

/**
 * Snapshots after this id and before that one, in order of id. `isDue`: it is not packed, and came by such a channel:
 * one that pushes, or one that is polled.
 */
export async function nextSnapshots(
  db: Db,
  of: SnapshotWalk & { readonly before: string; readonly limit: number },
): Promise<readonly { readonly id: string; readonly subjectId: string; readonly isDue: boolean }[]> {
  const { rows } = await db.query<{ id: string; subjectId: string; isDue: boolean }>({
    name: 'snapshots_to_pack',
    text: `select n.id, n.subject_id as "subjectId", n.pack_id is null and c.is_told = $1 as "isDue"
             from kept_snapshots n join subjects s on s.id = n.subject_id join channels c on c.id = s.credential_id
            where n.id > $2 and n.id < $3
            order by n.id limit $4`,
    values: [of.isPushed, of.afterId, of.before, of.limit],
  })
  return rows
}

/**
 * Locks the snapshots of these poll targets that are not packed yet and came before this id. A message that still waits
 * for a shipment is left out, because it may have to be deleted.
 */
export async function lockUnpacked(
  db: Db,
  of: { readonly subjectIds: readonly string[]; readonly before: string },
): Promise<readonly { readonly id: string; readonly subjectId: string; readonly bytes: number }[]> {
  const { rows } = await db.query<{ id: string; subjectId: string; bytes: number }>({
    name: 'snapshots_lock_unpacked',
    text: `select n.id, n.subject_id as "subjectId", octet_length(coalesce(n.body, n.sealed_body)) as bytes
             from kept_snapshots n
            where n.subject_id = any($1::uuid[]) and n.id < $2 and n.pack_id is null
              and num_nonnulls(n.body, n.sealed_body) = 1
              and not exists (select from mentions m
                               where m.snapshot_id = n.id and not m.is_kept
                                 and not exists (select from hearings h where h.mention_id = m.id))
            order by n.subject_id, n.id for no key update of n`,
    values: [of.subjectIds, of.before],
  })
  return rows
}

/** Stores the pack, and removes its content from its snapshots. */
export async function storePack(
  db: Db,
  pack: SnapshotPack,
  places: readonly (Omit<PackedPlace, 'packId'> & { readonly id: string })[],
): Promise<void> {
  await db.query({
    name: 'snapshot_pack_keep',
    text: `insert into snapshot_packs (id, made_at, snapshot_ids, bytes, body_bytes, sha256, body)
           values ($1, $2, $3, octet_length($6::bytea), $4, $5, $6)`,
    values: [pack.id, pack.madeAt, pack.snapshotIds, pack.bodyBytes, pack.sha256, pack.body],
  })
  await db.query({
    name: 'snapshots_pack',
    text: `update kept_snapshots n
              set body = null, sealed_body = null, pack_id = $1, frame_at = t.frame_at, frame_bytes = t.frame_bytes,
                  body_at = t.body_at, body_bytes = t.body_bytes
             from unnest($2::uuid[], $3::integer[], $4::integer[], $5::integer[], $6::integer[])
                    as t (id, frame_at, frame_bytes, body_at, body_bytes)
            where n.id = t.id`,
    values: [
      pack.id,
      places.map(({ id }) => id),
      places.map(({ frameAt }) => frameAt),
      places.map(({ frameBytes }) => frameBytes),
      places.map(({ bodyAt }) => bodyAt),
      places.map(({ bodyBytes }) => bodyBytes),
    ],
  })
}

export type FramePlace = Pick<PackedPlace, 'packId' | 'frameAt' | 'frameBytes'>

/** These frames as they are stored, in the order given: null for one whose pack is in the file store. */
export async function readFrames(db: Db, places: readonly FramePlace[]): Promise<readonly (Buffer | null)[]> {
  const { rows } = await db.query<{ frame: Buffer | null }>({
    name: 'snapshot_frames',
    text: `select substring(p.body from t.frame_at + 1 for t.frame_bytes) as frame
             from unnest($1::uuid[], $2::integer[], $3::integer[]) with ordinality as t (id, frame_at, frame_bytes, place)
             join snapshot_packs p on p.id = t.id
            order by t.place`,
    values: [
      places.map(({ packId }) => packId),
      places.map(({ frameAt }) => frameAt),
      places.map(({ frameBytes }) => frameBytes),
    ],
  })
  if (rows.length !== places.length) throw new Error('a pack of snapshots is gone')
  return rows.map(({ frame }) => frame)
}

/** Locks the oldest pack that was made before then and is in the database. Packs that others lock are skipped. */
export async function lockPackToMove(
  db: Db,
  before: string,
): Promise<Pick<SnapshotPack, 'id' | 'sha256' | 'body'> | null> {
  const { rows } = await db.query<Pick<SnapshotPack, 'id' | 'sha256' | 'body'>>({
    name: 'snapshot_pack_to_move',
    text: `select id, sha256, body from snapshot_packs where moved_at is null and made_at < $1
            order by made_at limit 1 for update skip locked`,
    values: [before],
  })
  return rows[0] ?? null
}

export async function notePackMoved(db: Db, of: { readonly id: string; readonly at: string }): Promise<void> {
  await db.query({
    name: 'snapshot_pack_moved',
    text: `update snapshot_packs set body = null, moved_at = $2 where id = $1`,
    values: [of.id, of.at],
  })
}

/** Packs after this id, in order of id. `body` is null for one that is in the file store. */
export async function nextPacks(
  db: Db,
  of: { readonly after: string; readonly limit: number },
): Promise<readonly (Omit<SnapshotPack, 'body'> & { readonly bytes: number; readonly body: Buffer | null })[]> {
  const { rows } = await db.query<
    Omit<SnapshotPack, 'body'> & { readonly bytes: number; readonly body: Buffer | null }
  >({
    name: 'snapshot_packs_next',
    text: `select id, made_at as "madeAt", snapshot_ids as "snapshotIds", bytes, body_bytes as "bodyBytes", sha256, body
             from snapshot_packs where id > $1 order by id limit $2`,
    values: [of.after, of.limit],
  })
  return rows
}

export interface PackSums {
  readonly packs: number
  readonly snapshots: number
  /** Of the bodies, before they were packed. */
  readonly bodyBytes: number
  /** Of packs in the database. */
  readonly databaseBytes: number
  /** Of packs in the file store. */
  readonly movedBytes: number
}

export async function sumPacks(db: Db): Promise<PackSums> {
  const { rows } = await db.query<PackSums>({
    name: 'snapshot_packs_sum',
    text: `select count(*)::float8 as packs, coalesce(sum(cardinality(snapshot_ids)), 0)::float8 as snapshots,
                  coalesce(sum(body_bytes), 0)::float8 as "bodyBytes",
                  coalesce(sum(bytes) filter (where moved_at is null), 0)::float8 as "databaseBytes",
                  coalesce(sum(bytes) filter (where moved_at is not null), 0)::float8 as "movedBytes"
             from snapshot_packs`,
  })
  const [sums] = rows
  if (sums === undefined) throw new Error('the sums of the packs are missing')
  return sums
}
