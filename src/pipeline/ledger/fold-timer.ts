/**
 * Folds the entry of a decision that became due with time: a window of tracking has ended, or a debounce has run out.
 */

import { compareInstants } from '../../domain/values/time.ts'
import type { JourneyState } from '../projection/journey-state-sql.ts'
import type { TrackingRequestRow } from '../projection/tracking-requests-sql.ts'
import type { Fold } from './fold.ts'
import { type FoldResult, toUnpublishedResult } from './fold-result.ts'
import { trackingFacts } from './journey-facts.ts'
import type { EntryOf, LedgerEntry } from './ledger-sql.ts'
import {
  type LifecycleStep,
  lifecycleEvents,
  preventDuplicateResume,
  stepLifecycle,
  withLifecycleState,
} from './lifecycle.ts'
import { isDetecting, lineColumns, toPolledRequest } from './polled-request.ts'
import { resolveTrackingStop } from './resolve-tracking-stop.ts'
import { getRequest, getShipment, withRequest } from './state-rows.ts'
import { getCurrentProjection, updateProjection } from './update-projection.ts'

/**
 * A window of the request's tracking has ended; or the polled line takes so long that the next candidate is tried; or
 * another request of the same shipment has ingested something that concerns this one as well.
 */
export function foldRequestTimer(fold: Fold, state: JourneyState, entry: LedgerEntry, requestId: string): FoldResult {
  const request = getRequest(state, requestId)
  const { recordedAt } = entry
  const before = request.lifecycle
  const step = preventDuplicateResume(state, request, decideByJourney(fold, state, entry, request), before)
  // A timer that decides nothing must not fire again at once.
  const isOver = step.state.timerAt !== null && compareInstants(step.state.timerAt, recordedAt) <= 0
  const timerAt = isOver && step.happened.length === 0 ? null : step.state.timerAt
  const polledRequest = isDetecting(request) ? toPolledRequest(request) : null
  const line = polledRequest === null ? {} : lineColumns(polledRequest, step.state)
  const moved = withRequest(state, {
    ...withLifecycleState(request, step.state, recordedAt),
    ...line,
    timerAt,
  })
  const { shipmentId } = request
  return {
    ...toUnpublishedResult(moved, recordedAt),
    state: shipmentId === null ? moved : resolveTrackingStop(moved, { shipmentId, at: recordedAt }),
    events: lifecycleEvents(request, shipmentId, step.happened, entry),
  }
}

function decideByJourney(
  fold: Fold,
  state: JourneyState,
  { recordedAt }: LedgerEntry,
  { shipmentId, lifecycle }: TrackingRequestRow,
): LifecycleStep {
  const shipment = shipmentId === null ? null : getCurrentProjection(getShipment(state, shipmentId))
  if (shipment === null) return stepLifecycle(fold, lifecycle, { kind: 'timer' }, recordedAt)
  const facts = trackingFacts(shipment, lifecycle.facts?.lastUpdateAt ?? recordedAt)
  const noted = stepLifecycle(fold, lifecycle, { kind: 'journey_read', facts }, recordedAt)
  const fired = stepLifecycle(fold, noted.state, { kind: 'timer' }, recordedAt)
  return { state: fired.state, happened: [...noted.happened, ...fired.happened] }
}

/** The request's line only sent messages before. Now it can be polled, under the poll target that the entry names. */
export function foldPollingStart(
  fold: Fold,
  state: JourneyState,
  { recordedAt, subjectId }: EntryOf<'timer'>,
  requestId: string,
): FoldResult {
  const request = getRequest(state, requestId)
  const step = stepLifecycle(fold, request.lifecycle, { kind: 'line_asked' }, recordedAt)
  const moved = withLifecycleState(request, step.state, recordedAt)
  return toUnpublishedResult(
    withRequest(state, step.happened.length === 0 ? moved : { ...moved, subjectId }),
    recordedAt,
  )
}

/** A debounce ran out: the shipment is projected as of the entry's time. */
export function foldShipmentTimer(fold: Fold, state: JourneyState, entry: LedgerEntry, shipmentId: string): FoldResult {
  const projected = updateProjection(fold, state, entry, shipmentId)
  const { announcement, changes, projection } = projected
  const { events, rows: published, invalidate: ended, changeOf } = announcement
  const at = entry.recordedAt
  return { at, state: projected.state, changes, changeOf, projection, events, published, ended }
}
