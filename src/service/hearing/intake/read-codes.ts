/** Reads parts of deliveries by the reader and the mapping of today, and notes which codes they have. */

import type { Db } from '../../../store/database.ts'
import { noteCodes, type SaidIn } from '../../../store/inbound/said-codes.ts'
import { getSnapshotsWithAccess } from '../../../store/looks/snapshots.ts'
import { openSnapshot } from '../../ground/sealed-bodies.ts'
import type { Fold } from '../../ledger/fold.ts'
import { readTold } from '../../ledger/read-told.ts'
import type { Service } from '../../service.ts'
import { isUnmapped } from './take-in.ts'

/** Returns the ids of the parts that have something unmapped still. A part whose snapshot is gone stays unmapped. */
export async function readCodes(
  db: Db,
  { vault }: Pick<Service, 'vault'>,
  fold: Pick<Fold, 'findToldSource'>,
  parts: readonly (SaidIn & { readonly channelId: string })[],
): Promise<readonly string[]> {
  const kept = await getSnapshotsWithAccess(db, [...new Set(parts.map(({ snapshotId }) => snapshotId))])
  const byId = new Map(kept.map((each) => [each.snapshot.id, each]))
  const read = parts.map((part) => {
    const found = byId.get(part.snapshotId)
    if (found === undefined) return { ...part, codes: [], isUnmapped: true }
    const { access } = found
    const about = { speaker: access.speakerKind, subject: access }
    const { reading } = readTold(fold, openSnapshot(vault, found.snapshot), about, access)
    return { ...part, codes: reading.codes ?? [], isUnmapped: isUnmapped(reading) }
  })
  await noteCodes(db, read)
  return read.flatMap((part) => (part.isUnmapped ? [part.mentionId] : []))
}
