/** Reads parts of deliveries by the reader and the mapping of today, and notes which codes they have. */

import type { Db } from '../../../store/database.ts'
import { noteCodes, type SaidIn } from '../../../store/inbound/said-codes.ts'
import { openWithAccess, type SnapshotOpener } from '../../ground/open-snapshots.ts'
import type { Fold } from '../../ledger/fold.ts'
import { readTold } from '../../ledger/read-told.ts'
import { isUnmapped } from './take-in.ts'

/** Returns the ids of the parts that have something unmapped still. A part whose snapshot is gone stays unmapped. */
export async function readCodes(
  db: Db,
  opener: SnapshotOpener,
  fold: Pick<Fold, 'findToldSource'>,
  parts: readonly (SaidIn & { readonly channelId: string })[],
): Promise<readonly string[]> {
  const snapshots = await openWithAccess(
    opener,
    db,
    parts.map(({ snapshotId }) => snapshotId),
  )
  const read = parts.map((part) => {
    const found = snapshots.get(part.snapshotId)
    if (found === undefined) return { ...part, codes: [], isUnmapped: true }
    const { access, snapshot } = found
    const about = { speaker: access.speakerKind, subject: access }
    const { reading } = readTold(fold, snapshot, about, access)
    return { ...part, codes: reading.codes ?? [], isUnmapped: isUnmapped(reading) }
  })
  await noteCodes(db, read)
  return read.flatMap((part) => (part.isUnmapped ? [part.mentionId] : []))
}
