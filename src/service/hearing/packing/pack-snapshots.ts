/**
 * Packs old snapshots: all of one subject that are old enough go into a frame, so that what a carrier repeats in each
 * answer takes its room once. Every body is read back from the frame before its row loses it. Any number of processes
 * may run it at once; one of them works, and after a kill the next one goes on.
 */

import { hash } from 'node:crypto'
import { uuidV7, uuidV7At } from '../../../platform/ids.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import type { PackedPlace } from '../../../store/inbound/kept-body.ts'
import {
  keepPack,
  lockUnpacked,
  lockWalks,
  nextSnapshots,
  type SnapshotWalk,
  updateWalk,
} from '../../../store/looks/snapshot-packs.ts'
import { getSnapshots, type KeptSnapshot, type Snapshot } from '../../../store/looks/snapshots.ts'
import { isWhole, openSnapshots } from '../../ground/open-snapshots.ts'
import { frameBytesMax, openFrame, packedBodyBytesMax, sealFrame } from '../../ground/snapshot-frames.ts'
import { realNow, type Service } from '../../service.ts'

const dayMs = 86_400_000
/** Of the subjects that are packed, newer snapshots go along when they are older than this. */
const freshMs = dayMs
/** A message that has waited so long for a shipment has been deleted, or has found one. */
const waitingMs = dayMs
/** Bodies of a pack, and snapshots that are looked at for it. */
const packBytes = 8 * 1_048_576
const snapshotsAtOnce = 500

/** Makes at most one pack, and goes on with a walk. Returns 0 when nothing old enough is left for this process. */
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

/** Ids that are less are old enough. */
function oldEnough({ clock, config }: Service, isTold: boolean): string {
  const packedMs = config.tracking.snapshotsPackedAfterDays * dayMs
  const waitedMs = config.inbound.waitingKeptDays * dayMs + waitingMs
  return uuidV7At(clock.now() - (isTold ? Math.max(packedMs, waitedMs) : packedMs))
}

/** Returns the last id that need not be looked at again; null when there was nothing to look at. */
async function packNext(service: Service, db: Db, walk: SnapshotWalk): Promise<string | null> {
  const old = oldEnough(service, walk.isTold)
  const seen = await nextSnapshots(db, { ...walk, before: old, limit: snapshotsAtOnce })
  if (seen.length === 0) return null
  const subjectIds = [...new Set(seen.flatMap(({ isDue, subjectId }) => (isDue ? [subjectId] : [])))]
  const before = walk.isTold ? old : uuidV7At(service.clock.now() - freshMs)
  const unpacked =
    subjectIds.length === 0 ? [] : (await lockUnpacked(db, { subjectIds, before })).filter(isSmallEnough)
  const { chosen, left } = chooseSome(subjectIds, unpacked)
  const isMade = chosen.length > 0 && (await makePack(service, db, chosen))
  const firstLeft = isMade ? seen.findIndex(({ isDue, subjectId }) => isDue && left.has(subjectId)) : -1
  // The next pack goes on with the first snapshot of a subject that this one had no room for.
  return seen[firstLeft === -1 ? seen.length - 1 : firstLeft - 1]?.id ?? walk.afterId
}

type Unpacked = Awaited<ReturnType<typeof lockUnpacked>>[number]

const isSmallEnough = ({ bytes }: Unpacked): boolean => bytes <= packedBodyBytesMax

/** Whole subjects, in the order given, until the pack is full; at least some snapshots of the first one. */
function chooseSome(
  subjectIds: readonly string[],
  unpacked: readonly Unpacked[],
): { readonly chosen: readonly string[]; readonly left: ReadonlySet<string> } {
  const bySubject = Map.groupBy(unpacked, ({ subjectId }) => subjectId)
  const chosen: string[] = []
  const left = new Set<string>()
  let bytes = 0
  for (const subjectId of subjectIds)
    for (const snapshot of bySubject.get(subjectId) ?? []) {
      if (left.size > 0 || (bytes > 0 && bytes + snapshot.bytes > packBytes)) left.add(subjectId)
      else chosen.push(snapshot.id)
      bytes += snapshot.bytes
    }
  return { chosen, left }
}

/** Returns false when there was nothing that could be packed. */
async function makePack(service: Service, db: Db, ids: readonly string[]): Promise<boolean> {
  const { vault, log, clock } = service
  const kept = await getSnapshots(db, ids)
  const place = new Map(ids.map((id, index) => [id, index]))
  const inOrder = kept.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
  const whole = await openWhole(service, db, inOrder)
  if (whole.length === 0) return false
  const packId = uuidV7(clock.now())
  const frames: Buffer[] = []
  const places: (Omit<PackedPlace, 'packId'> & { readonly id: string })[] = []
  let frameAt = 0
  for (const group of groupsOf(whole)) {
    const bodies = group.map(({ body }) => body)
    const frame = await sealFrame(vault, bodies, { packId, frameAt })
    await requireSame(service, frame, { packId, frameAt, bodies })
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
  await keepPack(db, pack, places)
  log.info('snapshots.packed', { packId, snapshots: whole.length, bytes: body.length, bodyBytes })
  return true
}

/** A damaged one is left out and its row stays as it is: it is evidence, and `rebuild -- --check` names it. */
async function openWhole(
  service: Service,
  db: Db,
  kept: readonly KeptSnapshot[],
): Promise<readonly Snapshot[]> {
  const whole: Snapshot[] = []
  for (const each of kept)
    try {
      const opened = await openSnapshots(service, db, [each])
      whole.push(...opened.filter((snapshot) => isWhole(service.vault, snapshot, snapshot.body)))
      if (whole.at(-1)?.id !== each.id) service.log.error('snapshots.damaged', { snapshotId: each.id })
    } catch (error) {
      service.log.error('snapshots.damaged', { snapshotId: each.id, error })
    }
  return whole
}

/** Neighbours of one subject, as many as go into a frame. */
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

async function requireSame(
  { vault }: Service,
  frame: Buffer,
  of: { readonly packId: string; readonly frameAt: number; readonly bodies: readonly Buffer[] },
): Promise<void> {
  const read = await openFrame(vault, frame, of)
  if (!read.equals(Buffer.concat(of.bodies)))
    throw new Error(
      `Frame ${of.frameAt} of the pack ${of.packId} is not what was packed. Nothing was changed.`,
    )
}
