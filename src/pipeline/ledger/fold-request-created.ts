/** Folds the entry of a new request: adds the request, which is to be polled at once. */

import { startDetection } from '../../domain/tracking-requests/line-detection.ts'
import { newPushedRequest, newTrackingRequest } from '../../domain/tracking-requests/tracking-request-state.ts'
import type { JourneyState } from '../projection/journey-state-sql.ts'
import { type FoldResult, toUnpublishedResult } from './fold-result.ts'
import type { EntryOf } from './ledger-sql.ts'
import { findLiveInState, withRequest } from './state-rows.ts'

/** Null when the account tracks this number at this line already, or has a request of this id. */
export function foldRequestCreated(state: JourneyState, entry: EntryOf<'request_created'>): FoldResult | null {
  const made = entry.payload
  const { candidates = null, search, scac } = made
  const { trackingRequestId: id } = entry
  if (id === null || (entry.subjectId === null && candidates?.length !== 0))
    throw new Error(`ledger entry ${entry.position} names no request or subject`)
  if (state.requests.has(id)) return null
  if (scac !== null && findLiveInState(state, { ...made, scac }) !== null) return null
  const detection = candidates === null ? null : startDetection(candidates, search)
  const lifecycle =
    made.isToldOf === true
      ? newPushedRequest(made.requestType, entry.recordedAt)
      : newTrackingRequest(made.requestType, entry.recordedAt, detection)
  const row = {
    accountId: entry.accountId,
    id,
    requestType: made.requestType,
    requestNumber: made.requestNumber,
    number: made.number,
    scac,
    subjectId: entry.subjectId,
    shipmentId: null,
    status: lifecycle.status,
    failedReason: null,
    lifecycle,
    isRetrying: false,
    retryCount: null,
    refNumbers: made.refNumbers,
    shipmentTags: made.shipmentTags,
    customerId: made.customerId ?? null,
    hasInitialFields: made.hasInitialFields ?? false,
    // There is no line to poll: the request fails as soon as its timer fires.
    timerAt: candidates?.length === 0 ? entry.recordedAt : lifecycle.timerAt,
    createdAt: entry.recordedAt,
    updatedAt: entry.recordedAt,
  }
  return toUnpublishedResult(withRequest(state, row), entry.recordedAt)
}
