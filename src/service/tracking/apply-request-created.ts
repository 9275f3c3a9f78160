/** Folds the entry that a request was made: the request is there, to be looked up at once. */

import type { CandidateLine } from '../../core/line-detection.ts'
import { newTrackingRequest, type RequestType } from '../../core/tracking-request-state.ts'
import type { Db } from '../../store/database.ts'
import type { LedgerEntry } from '../../store/ledger.ts'
import { insertTrackingRequest } from '../../store/tracking-requests.ts'

/** The payload of a `request_created` entry. */
export interface RequestCreated {
  readonly requestType: RequestType
  readonly requestNumber: string
  readonly number: string
  /** Null when the line is to be found among the candidates, the likeliest first. */
  readonly scac: string | null
  readonly candidates?: readonly CandidateLine[]
  readonly refNumbers: readonly string[]
  readonly shipmentTags: readonly string[]
  /** Not in entries from before there were parties and custom fields. */
  readonly customerId?: string | null
  readonly hasInitialFields?: boolean
}

/** False when the account tracks this number at this line already. */
export async function applyRequestCreated(db: Db, entry: LedgerEntry): Promise<boolean> {
  const made = entry.payload as unknown as RequestCreated
  const { candidates = null } = made
  if (entry.trackingRequestId === null || (entry.subjectId === null && candidates?.length !== 0)) {
    throw new Error(`ledger entry ${entry.position} names no request or subject`)
  }
  const detection = candidates === null ? null : { candidates, unanswered: [], ruledOut: [] }
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
    lifecycle: newTrackingRequest(made.requestType, entry.recordedAt, detection),
    isRetrying: false,
    retryCount: null,
    refNumbers: made.refNumbers,
    shipmentTags: made.shipmentTags,
    customerId: made.customerId ?? null,
    hasInitialFields: made.hasInitialFields ?? false,
    // Nobody to ask: it fails as soon as the timer rings.
    timerAt: candidates?.length === 0 ? entry.recordedAt : null,
    createdAt: entry.recordedAt,
    updatedAt: entry.recordedAt,
  })
}
