/** Folds the entry of a decision that time made: a window of tracking that ended, a debounce that ran out. */

import type { TrackingRequestState } from '../../core/tracking-request-state.ts'
import type { Db } from '../../store/database.ts'
import { insertEvents } from '../../store/domain-events.ts'
import type { LedgerEntry } from '../../store/ledger.ts'
import { lockShipment, settleTrackingStop } from '../../store/shipments.ts'
import {
  lockRequestsOfShipment,
  type TrackingRequestRow,
  updateTrackingRequestState,
} from '../../store/tracking-requests.ts'
import type { Fold } from './fold.ts'
import { projectAndWrite } from './project-shipment.ts'
import { lifecycleColumns, lifecycleEvents, stepLifecycle } from './step-lifecycle.ts'

/** A window of the request's tracking ended. The request is locked by the caller. */
export async function applyRequestTimer(
  db: Db,
  fold: Fold,
  entry: LedgerEntry,
  request: TrackingRequestRow,
): Promise<void> {
  const step = stepLifecycle(
    fold,
    request.lifecycle as TrackingRequestState,
    { kind: 'timer' },
    entry.recordedAt,
  )
  // A timer that decides nothing must not ring again at once.
  const timerAt = step.happened.length === 0 ? null : step.state.timerAt
  await updateTrackingRequestState(db, {
    ...request,
    ...lifecycleColumns(step.state),
    timerAt,
    updatedAt: entry.recordedAt,
  })
  await insertEvents(db, {
    accountId: entry.accountId,
    events: lifecycleEvents(request, request.shipmentId, step.happened, entry),
    at: entry.recordedAt,
  })
  if (request.shipmentId !== null) {
    await settleTrackingStop(db, {
      accountId: entry.accountId,
      shipmentId: request.shipmentId,
      at: entry.recordedAt,
    })
  }
}

/** A debounce ran out: the shipment is projected as of the entry's time. */
export async function applyShipmentTimer(
  db: Db,
  fold: Fold,
  entry: LedgerEntry,
  shipmentId: string,
): Promise<void> {
  const key = { accountId: entry.accountId, shipmentId }
  await lockRequestsOfShipment(db, key)
  const locked = await lockShipment(db, { accountId: entry.accountId, id: shipmentId })
  if (locked === null) throw new Error(`shipment ${shipmentId} is gone`)
  await projectAndWrite(db, fold, { entry, locked, heardFirst: [] })
}
