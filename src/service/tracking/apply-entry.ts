/** Folds any entry of the ledger: the one switch that a rebuild goes through, over the same folds as the live service. */

import type { LookOutcome } from '../../core/tracking-request.ts'
import { unreachable } from '../../core/unreachable.ts'
import type { Db } from '../../store/database.ts'
import type { LedgerEntry } from '../../store/ledger.ts'
import { getSnapshot } from '../../store/snapshots.ts'
import { getSubjectAccess } from '../../store/subjects.ts'
import { lockTrackingRequest } from '../../store/tracking-requests.ts'
import { applyLook, type LookMaterial } from './apply-look.ts'
import { applyRequestCreated } from './apply-request-created.ts'
import { applyRequestTimer, applyShipmentTimer } from './apply-timer.ts'
import { applyVesselArrival } from './apply-vessel-arrival.ts'
import { asAsked } from './asked-request.ts'
import type { Fold } from './fold.ts'
import { hear, recallHeard } from './heard.ts'
import { readSnapshot } from './read-snapshot.ts'
import { applyUserAction } from './user-action.ts'

export interface Applied {
  /** Its snapshot was not read again: another reader did, and what it made of it was taken from the ledger. */
  readonly isAsRecorded: boolean
}
const applied: Applied = { isAsRecorded: false }

/** Throws when the entry cannot be folded as it was: a row that it needs is gone or is not what was read. */
export async function applyEntry(db: Db, fold: Fold, entry: LedgerEntry): Promise<Applied> {
  switch (entry.kind) {
    case 'request_created':
      if (!(await applyRequestCreated(db, entry)))
        throw new Error(`entry ${entry.position}: the request is there already`)
      return applied
    case 'look':
      return applyLookEntry(db, fold, entry)
    case 'timer':
      await applyTimerEntry(db, fold, entry)
      return applied
    case 'user_action':
      await applyUserAction(db, fold, entry)
      return applied
    case 'vessel_arrival':
      await applyVesselArrival(db, fold, entry)
      return applied
    default:
      return unreachable(entry.kind)
  }
}

async function applyLookEntry(db: Db, fold: Fold, entry: LedgerEntry): Promise<Applied> {
  const request = await getRequest(db, entry)
  const asked = asAsked(request)
  if (asked === null) throw new Error(`entry ${entry.position} is a look of a request that asks nobody`)
  const { material, isAsRecorded } = await materialOf(db, fold, entry, asked.scac)
  await applyLook(db, fold, { entry, request: asked, material, opened: null })
  return { isAsRecorded }
}

/** Reads the snapshot again where this program has the reader that read it; else takes what the ledger says was read. */
async function materialOf(
  db: Db,
  fold: Fold,
  entry: LedgerEntry,
  scac: string,
): Promise<{ readonly material: LookMaterial; readonly isAsRecorded: boolean }> {
  const { accountId, subjectId, snapshotId, recordedAt } = entry
  const kind = entry.payload['outcome'] as LookOutcome['kind'] | null
  const outcome = kind === null ? null : { kind }
  if (snapshotId === null || subjectId === null) {
    if (outcome === null) throw new Error('it says neither what was read nor why nothing was')
    return { material: { kind: 'no_answer', outcome }, isAsRecorded: false }
  }
  const access = await getSubjectAccess(db, subjectId)
  const snapshot = await getSnapshot(db, snapshotId)
  const again = readSnapshot(fold, snapshot, { scac, kind: access.kind, number: access.number }, access)
  if (again.reader !== entry.reader || entry.payload['isReread'] === true) {
    const heard = await recallHeard(db, entry, subjectId)
    return { material: { kind: 'reading', heard, outcome }, isAsRecorded: true }
  }
  const heard = await hear(db, again.reading, { accountId, subjectId, scac, snapshotId, recordedAt })
  return { material: { kind: 'reading', heard, outcome: again.outcome }, isAsRecorded: false }
}

async function applyTimerEntry(db: Db, fold: Fold, entry: LedgerEntry): Promise<void> {
  if (entry.payload['of'] === 'request')
    return applyRequestTimer(db, fold, entry, await getRequest(db, entry))
  if (entry.shipmentId === null) throw new Error(`entry ${entry.position} names no shipment`)
  return applyShipmentTimer(db, fold, entry, entry.shipmentId)
}

async function getRequest(
  db: Db,
  entry: LedgerEntry,
): Promise<NonNullable<Awaited<ReturnType<typeof lockTrackingRequest>>>> {
  const id = entry.trackingRequestId
  const request = id === null ? null : await lockTrackingRequest(db, { accountId: entry.accountId, id })
  if (request === null) throw new Error(`entry ${entry.position} names a request that is not there`)
  return request
}
