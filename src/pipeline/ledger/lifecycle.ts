/** Moves a request through its lifecycle, and makes the events that subscribers get of it. */

import type { EventName } from '../../domain/changes/event-table.ts'
import { decideRequest, type TrackingRequestInput } from '../../domain/tracking-requests/tracking-request.ts'
import {
  evolveRequest,
  type TrackingRequestEvent,
  type TrackingRequestState,
} from '../../domain/tracking-requests/tracking-request-state.ts'
import { asStored } from '../../domain/values/json-value.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { DomainEvent } from '../projection/domain-events-sql.ts'
import type { JourneyState } from '../projection/journey-state-sql.ts'
import type { TrackedRequest, TrackingRequestRow } from '../projection/tracking-requests-sql.ts'
import type { Fold } from './fold.ts'
import type { LedgerEntry } from './ledger-sql.ts'
import { findLiveInState } from './state-rows.ts'

const publishedEventNames: Readonly<Partial<Record<TrackingRequestEvent['kind'], EventName>>> = {
  created: 'tracking_request.succeeded',
  manifest_awaited: 'tracking_request.awaiting_manifest',
  message_awaited: 'tracking_request.awaiting_manifest',
  failed: 'tracking_request.failed',
  tracking_stopped: 'tracking_request.tracking_stopped',
}

export interface LifecycleStep {
  readonly state: TrackingRequestState
  readonly happened: readonly TrackingRequestEvent[]
}

export function stepLifecycle(
  fold: Fold,
  state: TrackingRequestState,
  input: TrackingRequestInput,
  now: string,
): LifecycleStep {
  const happened = decideRequest(state, input, fold.rules.lifecycle, now)
  return { state: happened.reduce(evolveRequest, state), happened }
}

/**
 * A stopped request is not resumed while a newer one of the account tracks the same number: then the step does nothing.
 */
export function preventDuplicateResume(
  state: JourneyState,
  request: TrackingRequestRow,
  step: LifecycleStep,
  before: TrackingRequestState,
): LifecycleStep {
  const isResumed = step.happened.some(({ kind }) => kind === 'tracking_resumed')
  const { scac } = request
  const live = isResumed && scac !== null ? findLiveInState(state, { ...request, scac }) : null
  return live === null || live.id === request.id ? step : { state: before, happened: [] }
}

/**
 * When the line that was detected is one where the account tracks the number already, the request fails as a duplicate.
 */
export function failDetectedDuplicate(
  state: JourneyState,
  fold: Fold,
  request: TrackedRequest,
  step: LifecycleStep,
  before: TrackingRequestState,
  now: string,
): LifecycleStep {
  const detected = step.happened.find(({ kind }) => kind === 'line_detected')
  if (detected === undefined || findLiveInState(state, request) === null) return step
  const found = evolveRequest(before, detected)
  const failed = stepLifecycle(fold, found, { kind: 'duplicate_found' }, now)
  return { state: failed.state, happened: [detected, ...failed.happened] }
}

/** The request as it is after a step, by an entry that was recorded at that moment. */
export function withLifecycleState<Row extends TrackingRequestRow>(
  row: Row,
  state: TrackingRequestState,
  at: string,
): Row {
  return { ...row, ...lifecycleColumns(asStored(state)), updatedAt: at }
}

/** The domain events of a step; a request that succeeded names its shipment. */
export function lifecycleEvents(
  request: Pick<TrackingRequestRow, 'id'>,
  shipmentId: string | null,
  happened: readonly TrackingRequestEvent[],
  entry: Pick<LedgerEntry, 'recordedAt' | 'position'>,
): readonly DomainEvent[] {
  return happened.flatMap((event) => {
    const name = publishedEventNames[event.kind]
    if (name === undefined) return []
    return {
      id: uuidV5(LANDFALL_NAMESPACE, `${request.id}:${name}:${entry.recordedAt}:${entry.position}`),
      name,
      referenceId: request.id,
      trackingRequestId: request.id,
      shipmentId,
      containerId: null,
      payload: {},
    }
  })
}

/** The columns that follow from the state of the lifecycle. */
export function lifecycleColumns(state: TrackingRequestState): {
  readonly status: TrackingRequestState['status']
  readonly failedReason: TrackingRequestState['failedReason']
  readonly lifecycle: TrackingRequestState
  readonly isRetrying: boolean
  readonly retryCount: number | null
  readonly timerAt: string | null
} {
  return {
    status: state.status,
    failedReason: state.failedReason,
    lifecycle: state,
    isRetrying: state.isRetrying,
    retryCount: state.isRetrying ? state.retryCount : null,
    timerAt: state.timerAt,
  }
}
