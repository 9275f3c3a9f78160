/** Folds the entry of a decision that time made: a window of tracking that ended, a debounce that ran out. */

import { compareInstants } from '../../core/time.ts'
import type { FoldTables } from '../../store/fold-tables.ts'
import type { LedgerEntry } from '../../store/ledger.ts'
import type { TrackingRequestRow } from '../../store/tracking-requests.ts'
import { asAsked, isDetecting, lineColumns } from '../ledger/asked-request.ts'
import type { Fold } from '../ledger/fold.ts'
import { trackingFacts } from '../ledger/journey-facts.ts'
import { projectAndWrite } from './project-shipment.ts'
import {
  type LifecycleStep,
  lifecycleColumns,
  lifecycleEvents,
  stepLifecycle,
  withoutTwin,
} from './step-lifecycle.ts'

/**
 * A window of the request's tracking ended, a line that is asked keeps the others waiting, or another request of its shipment heard what concerns this one as well.
 * The request is locked by the caller. Returns the subject that is looked at for it from now on.
 */
export async function applyRequestTimer(
  tables: FoldTables,
  fold: Fold,
  entry: LedgerEntry,
  request: TrackingRequestRow,
): Promise<{ readonly subjectId: string | null }> {
  const before = request.lifecycle
  const step = await withoutTwin(tables, request, await decideByJourney(tables, fold, entry, request), before)
  // A timer that decides nothing must not ring again at once.
  const isOver = step.state.timerAt !== null && compareInstants(step.state.timerAt, entry.recordedAt) <= 0
  const timerAt = isOver && step.happened.length === 0 ? null : step.state.timerAt
  const asked = isDetecting(request) ? asAsked(request) : null
  const line = asked === null ? {} : lineColumns(asked, step.state)
  await tables.updateTrackingRequestState({
    ...request,
    ...line,
    ...lifecycleColumns(step.state),
    timerAt,
    updatedAt: entry.recordedAt,
  })
  await tables.insertEvents({
    accountId: entry.accountId,
    events: lifecycleEvents(request, request.shipmentId, step.happened, entry),
    at: entry.recordedAt,
  })
  if (request.shipmentId !== null) {
    await tables.settleTrackingStop({
      accountId: entry.accountId,
      shipmentId: request.shipmentId,
      at: entry.recordedAt,
    })
  }
  return { subjectId: request.subjectId, ...line }
}

async function decideByJourney(
  tables: FoldTables,
  fold: Fold,
  entry: LedgerEntry,
  request: TrackingRequestRow,
): Promise<LifecycleStep> {
  const before = request.lifecycle
  const id = request.shipmentId
  const locked = id === null ? null : await tables.lockShipment({ accountId: entry.accountId, id })
  if (locked === null) return stepLifecycle(fold, before, { kind: 'timer' }, entry.recordedAt)
  const shipment = {
    ...locked.shipment.projection,
    containers: locked.containers.map((row) => row.projection),
  }
  const facts = trackingFacts(shipment, before.facts?.lastUpdateAt ?? entry.recordedAt)
  const noted = stepLifecycle(fold, before, { kind: 'journey_read', facts }, entry.recordedAt)
  const rung = stepLifecycle(fold, noted.state, { kind: 'timer' }, entry.recordedAt)
  return { state: rung.state, happened: [...noted.happened, ...rung.happened] }
}

/** A debounce ran out: the shipment is projected as of the entry's time. */
export async function applyShipmentTimer(
  tables: FoldTables,
  fold: Fold,
  entry: LedgerEntry,
  shipmentId: string,
): Promise<void> {
  const key = { accountId: entry.accountId, shipmentId }
  await tables.lockRequestsOfShipment(key)
  const locked = await tables.lockShipment({ accountId: entry.accountId, id: shipmentId })
  if (locked === null) throw new Error(`shipment ${shipmentId} is gone`)
  await projectAndWrite(tables, fold, { entry, locked, heardFirst: [] })
}
