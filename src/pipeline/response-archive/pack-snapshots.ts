/**
 * Packs old snapshots: all of one poll target that are old enough go into a frame, so that content which a carrier
 * repeats in each answer is stored once. Every body is read back from the frame before its row loses it. Any number of
 * processes may run it at once; one of them works, and after a kill the next one continues.
 */

import { hash } from 'node:crypto'
import { type Db, inTransaction } from '../../db/database.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { uuidV7, uuidV7At } from '../../platform/ids.ts'
import { matchesContentHash, openSnapshots } from './open-snapshots.ts'
import { decryptFrame, encryptFrame, frameBytesMax, packedBodyBytesMax } from './snapshot-frames.ts'
import {
  lockUnpacked,
  lockWalks,
  nextSnapshots,
  type SnapshotWalk,
  storePack,
  updateWalk,
} from './snapshot-packs-sql.ts'
import { getSnapshots, type Snapshot, type StoredSnapshot } from './snapshots-sql.ts'
import type { PackedPlace } from './stored-body-sql.ts'

const dayMs = 86_400_000
/** Of the poll targets that are packed, newer snapshots are packed as well when they are older than this. */
const freshMs = dayMs
/** A message that has waited so long for a shipment has been deleted, or has found one. */
const waitingMs = dayMs
/** Bodies of a pack, and snapshots that are checked for it. */
const packBytes = 8 * 1_048_576
const snapshotsAtOnce = 500

/** Makes at most one pack, and continues a walk. Returns 0 when nothing old enough is left for this process. */
export async function packSnapshots(service: Service): Promise<number> {
  const { snapshotsPackedAfterDays: days } = service.config.tracking
  if (days === 0) return 0
  return inTransaction(service.pool, async (db) => {
    for (const walk of await lockWalks(db, realNow(service))) {
      const afterId = await packNext(service, db, walk)
      if (afterId === null) continue
      await updateWalk(db, { ...walk, afterId })
      return 1
    }
    return 0
  })
}

/** Smaller ids are old enough. */
function findPackableBeforeId({ clock, config }: Service, isPushed: boolean): string {
  const packedMs = config.tracking.snapshotsPackedAfterDays * dayMs
  const waitedMs = config.inbound.waitingKeptDays * dayMs + waitingMs
  return uuidV7At(clock.now() - (isPushed ? Math.max(packedMs, waitedMs) : packedMs))
}

/** Returns the last id that need not be checked again; null when there was nothing to check. */
async function packNext(service: Service, db: Db, walk: SnapshotWalk): Promise<string | null> {
  const old = findPackableBeforeId(service, walk.isPushed)
  const seen = await nextSnapshots(db, { ...walk, before: old, limit: snapshotsAtOnce })
  if (seen.length === 0) return null
  const pollTargetIds = [
    ...new Set(seen.flatMap(({ isDue, subjectId: pollTargetId }) => (isDue ? [pollTargetId] : []))),
  ]
  const before = walk.isPushed ? old : uuidV7At(service.clock.now() - freshMs)
  const unpacked =
    pollTargetIds.length === 0
      ? []
      : (await lockUnpacked(db, { subjectIds: pollTargetIds, before })).filter(isSmallEnough)
  const { chosen, remaining } = chooseSome(pollTargetIds, unpacked)
  const isMade = chosen.length > 0 && (await makePack(service, db, chosen))
  const firstRemaining = isMade
    ? seen.findIndex(({ isDue, subjectId: pollTargetId }) => isDue && remaining.has(pollTargetId))
    : -1
  // The next pack continues with the first snapshot of a poll target that did not fit into this one.
  return seen[firstRemaining === -1 ? seen.length - 1 : firstRemaining - 1]?.id ?? walk.afterId
}

type UnpackedSnapshot = Awaited<ReturnType<typeof lockUnpacked>>[number]

const isSmallEnough = ({ bytes }: UnpackedSnapshot): boolean => bytes <= packedBodyBytesMax

/**
 * Poll targets with all their snapshots, in the order given, until the pack is full; at least some snapshots of the
 * first one.
 */
function chooseSome(
  pollTargetIds: readonly string[],
  unpacked: readonly UnpackedSnapshot[],
): { readonly chosen: readonly string[]; readonly remaining: ReadonlySet<string> } {
  const byPollTarget = Map.groupBy(unpacked, ({ subjectId: pollTargetId }) => pollTargetId)
  const chosen: string[] = []
  const remaining = new Set<string>()
  let bytes = 0
  for (const pollTargetId of pollTargetIds)
    for (const snapshot of byPollTarget.get(pollTargetId) ?? []) {
      if (remaining.size > 0 || (bytes > 0 && bytes + snapshot.bytes > packBytes)) remaining.add(pollTargetId)
      else chosen.push(snapshot.id)
      bytes += snapshot.bytes
    }
  return { chosen, remaining }
}

/** Returns false when there was nothing that could be packed. */
async function makePack(service: Service, db: Db, ids: readonly string[]): Promise<boolean> {
  const { encryption, log, clock } = service
  const storedSnapshots = await getSnapshots(db, ids)
  const place = new Map(ids.map((id, index) => [id, index]))
  const inOrder = storedSnapshots.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
  const whole = await openWhole(service, db, inOrder)
  if (whole.length === 0) return false
  const packId = uuidV7(clock.now())
  const frames: Buffer[] = []
  const places: (Omit<PackedPlace, 'packId'> & { readonly id: string })[] = []
  let frameAt = 0
  for (const group of groupsOf(whole)) {
    const bodies = group.map(({ body }) => body)
    const frame = await encryptFrame(encryption, bodies, { packId, frameAt })
    await verifyFrame(service, frame, { packId, frameAt, bodies })
    let bodyAt = 0
    for (const { id, body } of group) {
      places.push({ id, frameAt, frameBytes: frame.length, bodyAt, bodyBytes: body.length })
      bodyAt += body.length
    }
    frames.push(frame)
    frameAt += frame.length
  }
  const body = Buffer.concat(frames)
  const bodyBytes = whole.reduce((sum, each) => sum + each.body.length, 0)
  const snapshotIds = whole.map(({ id }) => id)
  const pack = {
    id: packId,
    madeAt: realNow(service),
    snapshotIds,
    bodyBytes,
    sha256: hash('sha256', body, 'buffer'),
    body,
  }
  await storePack(db, pack, places)
  log.info('snapshots.packed', { packId, snapshots: whole.length, bytes: body.length, bodyBytes })
  return true
}

/** A damaged one is left out and its row stays as it is: it is evidence, and `rebuild -- --check` reports it. */
async function openWhole(
  service: Service,
  db: Db,
  storedSnapshots: readonly StoredSnapshot[],
): Promise<readonly Snapshot[]> {
  const whole: Snapshot[] = []
  for (const each of storedSnapshots)
    try {
      const opened = await openSnapshots(service, db, [each])
      whole.push(...opened.filter((snapshot) => matchesContentHash(service.encryption, snapshot, snapshot.body)))
      if (whole.at(-1)?.id !== each.id) service.log.error('snapshots.damaged', { snapshotId: each.id })
    } catch (error) {
      service.log.error('snapshots.damaged', { snapshotId: each.id, error })
    }
  return whole
}

/** Neighbours of one poll target, as many as go into a frame. */
function groupsOf(snapshots: readonly Snapshot[]): readonly (readonly Snapshot[])[] {
  const groups: Snapshot[][] = []
  let bytes = 0
  for (const snapshot of snapshots) {
    const group = groups.at(-1)
    const isSame = group?.[0]?.subjectId === snapshot.subjectId
    if (group !== undefined && isSame && bytes + snapshot.body.length <= frameBytesMax) {
      group.push(snapshot)
      bytes += snapshot.body.length
    } else {
      groups.push([snapshot])
      bytes = snapshot.body.length
    }
  }
  return groups
}

async function verifyFrame(
  { encryption }: Service,
  frame: Buffer,
  of: { readonly packId: string; readonly frameAt: number; readonly bodies: readonly Buffer[] },
): Promise<void> {
  const read = await decryptFrame(encryption, frame, of)
  if (!read.equals(Buffer.concat(of.bodies)))
    throw new Error(`Frame ${of.frameAt} of the pack ${of.packId} is not what was packed. Nothing was changed.`)
}
