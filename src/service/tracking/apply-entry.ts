/** Folds any entry of the ledger: the one switch that a rebuild goes through, over the same folds as the live service. */

import { unreachable } from '../../core/unreachable.ts'
import type { FoldTables } from '../../store/fold-tables.ts'
import type { EntryOf, LedgerEntry } from '../../store/ledger.ts'
import type { TrackingRequestRow } from '../../store/tracking-requests.ts'
import { asAsked } from '../ledger/asked-request.ts'
import type { Fold } from '../ledger/fold.ts'
import { readSnapshot } from '../ledger/read-snapshot.ts'
import { applyLook, type LookMaterial } from './apply-look.ts'
import { applyReprojected } from './apply-reprojected.ts'
import { applyRequestCreated } from './apply-request-created.ts'
import { applyRequestTimer, applyShipmentTimer } from './apply-timer.ts'
import { applyVesselArrival } from './apply-vessel-arrival.ts'
import { hear, recallHeard } from './heard.ts'
import { applyUserAction } from './user-action.ts'

export interface Applied {
  /** Its snapshot was not read again: another reader did, and what it made of it was taken from the ledger. */
  readonly isAsRecorded: boolean
}
const applied: Applied = { isAsRecorded: false }

/** Throws when the entry cannot be folded as it was: a row that it needs is gone or is not what was read. */
export async function applyEntry(tables: FoldTables, fold: Fold, entry: LedgerEntry): Promise<Applied> {
  switch (entry.kind) {
    case 'request_created':
      if (!(await applyRequestCreated(tables, entry)))
        throw new Error(`entry ${entry.position}: the request is there already`)
      return applied
    case 'look':
      return applyLookEntry(tables, fold, entry)
    case 'timer':
      await applyTimerEntry(tables, fold, entry)
      return applied
    case 'user_action':
      await applyUserAction(tables, fold, entry)
      return applied
    case 'vessel_arrival':
      await applyVesselArrival(tables, fold, entry)
      return applied
    case 'reprojected':
      await putBackStood(tables, entry)
      await applyReprojected(tables, fold, entry)
      return applied
    default:
      return unreachable(entry)
  }
}

/** What older rules made of the entries before is not made again: it is taken as it stood. */
export async function putBackStood(tables: FoldTables, entry: EntryOf<'reprojected'>): Promise<void> {
  const { accountId, shipmentId, payload } = entry
  if (shipmentId === null) throw new Error(`entry ${entry.position} names no shipment`)
  await tables.putBack({ accountId, shipmentId, stood: payload.stood })
}

async function applyLookEntry(tables: FoldTables, fold: Fold, entry: EntryOf<'look'>): Promise<Applied> {
  const request = await getRequest(tables, entry)
  const asked = asAsked(request)
  if (asked === null) throw new Error(`entry ${entry.position} is a look of a request that asks nobody`)
  const { material, isAsRecorded } = await materialOf(tables, fold, entry, asked.scac)
  await applyLook(tables, fold, { entry, request: asked, material, opened: null })
  return { isAsRecorded }
}

/** Reads the snapshot again where this program has the reader that read it; else takes what the ledger says was read. */
async function materialOf(
  tables: FoldTables,
  fold: Fold,
  entry: EntryOf<'look'>,
  scac: string,
): Promise<{ readonly material: LookMaterial; readonly isAsRecorded: boolean }> {
  const { accountId, subjectId, snapshotId, recordedAt } = entry
  const { outcome: kind, isReread = false } = entry.payload
  const outcome = kind === null ? null : { kind }
  if (snapshotId === null || subjectId === null) {
    if (outcome === null) throw new Error('it says neither what was read nor why nothing was')
    return { material: { kind: 'no_answer', outcome }, isAsRecorded: false }
  }
  const access = await tables.getSubjectAccess(subjectId)
  const snapshot = await tables.getSnapshot(snapshotId)
  const again = readSnapshot(fold, snapshot, { scac, kind: access.kind, number: access.number }, access)
  if (again.reader !== entry.reader || isReread) {
    const heard = await recallHeard(tables, entry, subjectId)
    return { material: { kind: 'reading', heard, outcome }, isAsRecorded: true }
  }
  const heard = await hear(tables, again.reading, { accountId, subjectId, scac, snapshotId, recordedAt })
  return { material: { kind: 'reading', heard, outcome: again.outcome }, isAsRecorded: false }
}

async function applyTimerEntry(tables: FoldTables, fold: Fold, entry: EntryOf<'timer'>): Promise<void> {
  if (entry.payload.of === 'request') {
    await applyRequestTimer(tables, fold, entry, await getRequest(tables, entry))
    return
  }
  if (entry.shipmentId === null) throw new Error(`entry ${entry.position} names no shipment`)
  return applyShipmentTimer(tables, fold, entry, entry.shipmentId)
}

async function getRequest(tables: FoldTables, entry: LedgerEntry): Promise<TrackingRequestRow> {
  const id = entry.trackingRequestId
  const request = id === null ? null : await tables.lockTrackingRequest({ accountId: entry.accountId, id })
  if (request === null) throw new Error(`entry ${entry.position} names a request that is not there`)
  return request
}
