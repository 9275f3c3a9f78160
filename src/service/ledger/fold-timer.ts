/** Folds the entry of a decision that time made: a window of tracking that ended, a debounce that ran out. */

import { compareInstants } from '../../core/time.ts'
import type { JourneyState } from '../../store/journey-state/state.ts'
import type { TrackingRequestRow } from '../../store/journeys/tracking-requests.ts'
import type { EntryOf, LedgerEntry } from '../../store/ledger/ledger.ts'
import { asAsked, isDetecting, lineColumns } from './asked-request.ts'
import type { Fold } from './fold.ts'
import { type Folded, foldedQuietly } from './folded.ts'
import { trackingFacts } from './journey-facts.ts'
import { type LifecycleStep, lifecycleEvents, movedTo, stepLifecycle, withoutTwin } from './lifecycle.ts'
import { previousOf, project } from './project.ts'
import { settleTrackingStop } from './settle-requests.ts'
import { getRequest, getShipment, withRequest } from './state-rows.ts'

/**
 * A window of the request's tracking ended, a line that is asked keeps the others waiting, or another request of its
 * shipment heard what concerns this one as well.
 */
export function foldRequestTimer(
  fold: Fold,
  state: JourneyState,
  entry: LedgerEntry,
  requestId: string,
): Folded {
  const request = getRequest(state, requestId)
  const { recordedAt } = entry
  const before = request.lifecycle
  const step = withoutTwin(state, request, decideByJourney(fold, state, entry, request), before)
  // A timer that decides nothing must not ring again at once.
  const isOver = step.state.timerAt !== null && compareInstants(step.state.timerAt, recordedAt) <= 0
  const timerAt = isOver && step.happened.length === 0 ? null : step.state.timerAt
  const asked = isDetecting(request) ? asAsked(request) : null
  const line = asked === null ? {} : lineColumns(asked, step.state)
  const moved = withRequest(state, { ...movedTo(request, step.state, recordedAt), ...line, timerAt })
  const { shipmentId } = request
  return {
    ...foldedQuietly(moved, recordedAt),
    state: shipmentId === null ? moved : settleTrackingStop(moved, { shipmentId, at: recordedAt }),
    events: lifecycleEvents(request, shipmentId, step.happened, entry),
  }
}

function decideByJourney(
  fold: Fold,
  state: JourneyState,
  { recordedAt }: LedgerEntry,
  { shipmentId, lifecycle }: TrackingRequestRow,
): LifecycleStep {
  const shipment = shipmentId === null ? null : previousOf(getShipment(state, shipmentId))
  if (shipment === null) return stepLifecycle(fold, lifecycle, { kind: 'timer' }, recordedAt)
  const facts = trackingFacts(shipment, lifecycle.facts?.lastUpdateAt ?? recordedAt)
  const noted = stepLifecycle(fold, lifecycle, { kind: 'journey_read', facts }, recordedAt)
  const rung = stepLifecycle(fold, noted.state, { kind: 'timer' }, recordedAt)
  return { state: rung.state, happened: [...noted.happened, ...rung.happened] }
}

/** Its line only sent, and can be asked by now: under the subject that the entry names. */
export function foldLineAsked(
  fold: Fold,
  state: JourneyState,
  { recordedAt, subjectId }: EntryOf<'timer'>,
  requestId: string,
): Folded {
  const request = getRequest(state, requestId)
  const step = stepLifecycle(fold, request.lifecycle, { kind: 'line_asked' }, recordedAt)
  const moved = movedTo(request, step.state, recordedAt)
  return foldedQuietly(
    withRequest(state, step.happened.length === 0 ? moved : { ...moved, subjectId }),
    recordedAt,
  )
}

/** A debounce ran out: the shipment is projected as of the entry's time. */
export function foldShipmentTimer(
  fold: Fold,
  state: JourneyState,
  entry: LedgerEntry,
  shipmentId: string,
): Folded {
  const projected = project(fold, state, entry, shipmentId)
  const { announcement, changes, projection } = projected
  const { events, rows: announced, invalidate: ended, changeOf } = announcement
  const at = entry.recordedAt
  return { at, state: projected.state, changes, changeOf, projection, events, announced, ended }
}
