/** Parts that were not understood are read by the reader and mapping of today, and heard again. */

import { inTransaction } from '../../../store/database.ts'
import { wake } from '../../../store/ground/wake.ts'
import { hearAgain, unmappedParts } from '../../../store/inbound/inbound-messages.ts'
import { getSnapshotsWithAccess } from '../../../store/looks/snapshots.ts'
import { openSnapshot } from '../../ground/sealed-bodies.ts'
import { foldBy } from '../../ledger/fold.ts'
import { readTold } from '../../ledger/read-told.ts'
import { readRules } from '../../ledger/rules.ts'
import type { Service } from '../../service.ts'
import { isUnmapped } from './take-in.ts'

export interface Replayed {
  /** Parts that were read again. */
  readonly parts: number
  readonly understood: number
}

/** `accountId`: of the message, null if its channel is for the whole installation. */
export function replayParts(
  service: Service,
  of: { readonly accountId: string | null; readonly messageId: string },
): Promise<Replayed> {
  const fold = foldBy(readRules(service.config))
  return inTransaction(service.pool, async (db) => {
    const parts = await unmappedParts(db, of)
    const kept = await getSnapshotsWithAccess(db, [...new Set(parts.map(({ snapshotId }) => snapshotId))])
    const unmapped = parts.filter(({ snapshotId }) => {
      const found = kept.find(({ snapshot }) => snapshot.id === snapshotId)
      if (found === undefined) return true
      const { access } = found
      const snapshot = openSnapshot(service.vault, found.snapshot)
      return isUnmapped(
        readTold(fold, snapshot, { speaker: access.speakerKind, subject: access }, access).reading,
      )
    })
    const ids = parts.map((part) => part.id)
    if (ids.length > 0) await hearAgain(db, { ids, unmapped: unmapped.map((part) => part.id) })
    await wake(db, 'mentions')
    return { parts: parts.length, understood: parts.length - unmapped.length }
  })
}
