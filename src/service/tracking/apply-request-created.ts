/** Folds the entry that a request was made: the request is there, to be looked up at once. */

import { startDetection } from '../../core/line-detection.ts'
import { newTrackingRequest } from '../../core/tracking-request-state.ts'
import type { FoldTables } from '../../store/fold-tables.ts'
import type { EntryOf } from '../../store/ledger.ts'

/** False when the account tracks this number at this line already. */
export async function applyRequestCreated(
  tables: FoldTables,
  entry: EntryOf<'request_created'>,
): Promise<boolean> {
  const made = entry.payload
  const { candidates = null, search } = made
  if (entry.trackingRequestId === null || (entry.subjectId === null && candidates?.length !== 0)) {
    throw new Error(`ledger entry ${entry.position} names no request or subject`)
  }
  const detection = candidates === null ? null : startDetection(candidates, search)
  const lifecycle = newTrackingRequest(made.requestType, entry.recordedAt, detection)
  return tables.insertTrackingRequest({
    accountId: entry.accountId,
    id: entry.trackingRequestId,
    requestType: made.requestType,
    requestNumber: made.requestNumber,
    number: made.number,
    scac: made.scac,
    subjectId: entry.subjectId,
    shipmentId: null,
    status: 'pending',
    failedReason: null,
    lifecycle,
    isRetrying: false,
    retryCount: null,
    refNumbers: made.refNumbers,
    shipmentTags: made.shipmentTags,
    customerId: made.customerId ?? null,
    hasInitialFields: made.hasInitialFields ?? false,
    // Nobody to ask: it fails as soon as the timer rings.
    timerAt: candidates?.length === 0 ? entry.recordedAt : lifecycle.timerAt,
    createdAt: entry.recordedAt,
    updatedAt: entry.recordedAt,
  })
}
