/** Reads message parts with the present reader and mapping, and notes which codes they have. */

import type { Db } from '../../db/database.ts'
import { type CodeOccurrence, noteCodes } from '../../modules/code-mappings/stated-codes-sql.ts'
import type { Fold } from '../ledger/fold.ts'
import { isUnmapped, parseMessagePart } from '../ledger/parse-message-part.ts'
import { openWithAccess, type SnapshotOpener } from '../response-archive/open-snapshots.ts'

/**
 * Returns the ids of the message parts that still have something unmapped. A part whose snapshot is gone stays
 * unmapped.
 */
export async function readCodes(
  db: Db,
  opener: SnapshotOpener,
  fold: Pick<Fold, 'findPushedSource'>,
  messageParts: readonly (CodeOccurrence & { readonly channelId: string })[],
): Promise<readonly string[]> {
  const snapshots = await openWithAccess(
    opener,
    db,
    messageParts.map(({ snapshotId }) => snapshotId),
  )
  const read = messageParts.map((messagePart) => {
    const found = snapshots.get(messagePart.snapshotId)
    if (found === undefined) return { ...messagePart, codes: [], isUnmapped: true }
    const { access, snapshot } = found
    const about = { speaker: access.speakerKind, messageSubject: access }
    const { reading } = parseMessagePart(fold, snapshot, about, access)
    return { ...messagePart, codes: reading.codes ?? [], isUnmapped: isUnmapped(reading) }
  })
  await noteCodes(db, read)
  return read.flatMap((messagePart) => (messagePart.isUnmapped ? [messagePart.mentionId] : []))
}
