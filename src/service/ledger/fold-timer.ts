/**
 * Folds the entry of a decision that became due with time: a window of tracking has ended, or a debounce has run out.
 */

import { compareInstants } from '../../core/values/time.ts'
import type { JourneyState } from '../../store/journey-state/state.ts'
import type { TrackingRequestRow } from '../../store/journeys/tracking-requests.ts'
import type { EntryOf, LedgerEntry } from '../../store/ledger/ledger.ts'
import { asAsked, isDetecting, lineColumns } from './asked-request.ts'
import type { Fold } from './fold.ts'
import { type Folded, foldedQuietly } from './folded.ts'
import { trackingFacts } from './journey-facts.ts'
import {
  type LifecycleStep,
  lifecycleEvents,
  movedTo,
  stepLifecycle,
  unlessTrackedElsewhere,
} from './lifecycle.ts'
import { previousOf, project } from './project.ts'
import { settleTrackingStop } from './settle-requests.ts'
import { getRequest, getShipment, withRequest } from './state-rows.ts'

/**
 * A window of the request's tracking has ended; or the line that is asked takes so long that the next candidate has its
 * turn; or another request of the same shipment has heard something that concerns this one as well.
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
  const step = unlessTrackedElsewhere(state, request, decideByJourney(fold, state, entry, request), before)
  // A timer that decides nothing must not fire again at once.
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
  const fired = stepLifecycle(fold, noted.state, { kind: 'timer' }, recordedAt)
  return { state: fired.state, happened: [...noted.happened, ...fired.happened] }
}

/** The request's line only sent messages before. Now it can be asked, under the subject that the entry names. */
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
