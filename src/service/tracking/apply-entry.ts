/** Folds any entry of the ledger: the one switch that a rebuild goes through, over the same folds as the live service. */

import type { Db } from '../../store/database.ts'
import type { LedgerEntry } from '../../store/ledger.ts'
import { getSnapshot } from '../../store/snapshots.ts'
import { getSubjectAccess } from '../../store/subjects.ts'
import { lockTrackingRequest } from '../../store/tracking-requests.ts'
import type { LookOutcome } from '../../core/tracking-request.ts'
import { unreachable } from '../../core/unreachable.ts'
import { applyLook, type LookMaterial } from './apply-look.ts'
import { applyRequestCreated } from './apply-request-created.ts'
import { applyRequestTimer, applyShipmentTimer } from './apply-timer.ts'
import type { Fold } from './fold.ts'
import { readSnapshot } from './read-snapshot.ts'
import { applyUserAction } from './user-action.ts'

/** Throws when the entry cannot be folded as it was: a reader of another version, a row that is gone. */
export async function applyEntry(db: Db, fold: Fold, entry: LedgerEntry): Promise<void> {
  switch (entry.kind) {
    case 'request_created':
      if (!(await applyRequestCreated(db, entry))) throw new Error(`entry ${entry.position}: the request is there already`)
      return
    case 'look':
      return applyLookEntry(db, fold, entry)
    case 'timer':
      return applyTimerEntry(db, fold, entry)
    case 'user_action':
      return applyUserAction(db, fold, entry)
    default:
      return unreachable(entry.kind)
  }
}

async function applyLookEntry(db: Db, fold: Fold, entry: LedgerEntry): Promise<void> {
  const request = await getRequest(db, entry)
  await applyLook(db, fold, entry, request, await materialOf(db, entry, request.scac))
}

async function materialOf(db: Db, entry: LedgerEntry, scac: string): Promise<LookMaterial> {
  if (entry.snapshotId === null || entry.subjectId === null) {
    return { kind: 'no_answer', outcome: { kind: entry.payload['outcome'] as LookOutcome['kind'] } }
  }
  const access = await getSubjectAccess(db, entry.subjectId)
  const snapshot = await getSnapshot(db, entry.snapshotId)
  const { reading, outcome, reader } = readSnapshot(snapshot, { scac, kind: access.kind, number: access.number }, access)
  if (reader !== entry.reader) {
    throw new Error(`entry ${entry.position} was read by ${entry.reader ?? 'nobody'}, this program has ${reader}`)
  }
  return { kind: 'reading', reading, outcome }
}

async function applyTimerEntry(db: Db, fold: Fold, entry: LedgerEntry): Promise<void> {
  if (entry.payload['of'] === 'request') return applyRequestTimer(db, fold, entry, await getRequest(db, entry))
  if (entry.shipmentId === null) throw new Error(`entry ${entry.position} names no shipment`)
  return applyShipmentTimer(db, fold, entry, entry.shipmentId)
}

async function getRequest(db: Db, entry: LedgerEntry): Promise<NonNullable<Awaited<ReturnType<typeof lockTrackingRequest>>>> {
  const id = entry.trackingRequestId
  const request = id === null ? null : await lockTrackingRequest(db, { accountId: entry.accountId, id })
  if (request === null) throw new Error(`entry ${entry.position} names a request that is not there`)
  return request
}
