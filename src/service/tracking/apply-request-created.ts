/** Folds the entry that a request was made: the request is there, to be looked up at once. */

import { newTrackingRequest, type RequestType } from '../../core/tracking-request-state.ts'
import type { Db } from '../../store/database.ts'
import type { LedgerEntry } from '../../store/ledger.ts'
import { insertTrackingRequest } from '../../store/tracking-requests.ts'

/** The payload of a `request_created` entry. */
export interface RequestCreated {
  readonly requestType: RequestType
  readonly requestNumber: string
  readonly number: string
  readonly scac: string
  readonly refNumbers: readonly string[]
  readonly shipmentTags: readonly string[]
}

/** False when the account tracks this number at this line already. */
export async function applyRequestCreated(db: Db, entry: LedgerEntry): Promise<boolean> {
  const made = entry.payload as unknown as RequestCreated
  if (entry.trackingRequestId === null || entry.subjectId === null) {
    throw new Error(`ledger entry ${entry.position} names no request or subject`)
  }
  return insertTrackingRequest(db, {
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
    lifecycle: newTrackingRequest(made.requestType, entry.recordedAt),
    isRetrying: false,
    retryCount: null,
    refNumbers: made.refNumbers,
    shipmentTags: made.shipmentTags,
    timerAt: null,
    createdAt: entry.recordedAt,
    updatedAt: entry.recordedAt,
  })
}
