/** Tracking requests, as the pipeline writes them. The API reads them in `modules/tracking-requests`. */

import type { Db } from '../../db/database.ts'
import type {
  FailedReason,
  RequestStatus,
  RequestType,
  TrackingRequestState,
} from '../../domain/tracking-requests/tracking-request-state.ts'

export interface TrackingRequestRow {
  readonly accountId: string
  readonly id: string
  readonly requestType: RequestType
  readonly requestNumber: string
  readonly number: string
  /** Null while the line is being found. */
  readonly scac: string | null
  /** Null when no line is a candidate. */
  readonly subjectId: string | null
  readonly shipmentId: string | null
  readonly status: RequestStatus
  readonly failedReason: FailedReason | null
  readonly lifecycle: TrackingRequestState
  readonly isRetrying: boolean
  readonly retryCount: number | null
  readonly refNumbers: readonly string[]
  readonly shipmentTags: readonly string[]
  /** The party for which it is tracked. */
  readonly customerId: string | null
  /** True when custom fields came with it. */
  readonly hasInitialFields: boolean
  readonly timerAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export const requestColumns = `account_id as "accountId", id, request_type as "requestType", request_number as "requestNumber",
  number, scac, subject_id as "subjectId", shipment_id as "shipmentId", status, failed_reason as "failedReason",
  lifecycle, is_retrying as "isRetrying", retry_count as "retryCount", ref_numbers as "refNumbers",
  shipment_tags as "shipmentTags", customer_id as "customerId", has_initial_fields as "hasInitialFields", timer_at as "timerAt", created_at as "createdAt", updated_at as "updatedAt"`

/** The request, locked until the transaction ends; null when the account has none of that id. */
export async function lockTrackingRequest(
  db: Db,
  key: { readonly accountId: string; readonly id: string },
): Promise<TrackingRequestRow | null> {
  const { rows } = await db.query<TrackingRequestRow>({
    name: 'tracking_request_lock',
    text: `select ${requestColumns} from tracking_requests where account_id = $1 and id = $2 for update`,
    values: [key.accountId, key.id],
  })
  return rows[0] ?? null
}

/** A request whose line is known. */
export type TrackedRequest = TrackingRequestRow & { readonly scac: string; readonly subjectId: string }

/** Every request of a shipment, locked in order of id (this order prevents a deadlock of two such transactions). */
export async function lockRequestsOfShipment(
  db: Db,
  key: { readonly accountId: string; readonly shipmentId: string },
): Promise<readonly TrackedRequest[]> {
  const { rows } = await db.query<TrackedRequest>({
    name: 'tracking_requests_lock_shipment',
    text: `select ${requestColumns} from tracking_requests where account_id = $1 and shipment_id = $2 order by id for update`,
    values: [key.accountId, key.shipmentId],
  })
  return rows
}

/** What a shipment needs to know of a request that asks for it. */
export type RequestOfShipment = Pick<
  TrackedRequest,
  'id' | 'requestType' | 'lifecycle' | 'number' | 'createdAt' | 'subjectId'
>

/** The requests from which a shipment came, oldest first. */
export async function requestsOfShipment(
  db: Db,
  key: { readonly accountId: string; readonly shipmentId: string },
): Promise<readonly RequestOfShipment[]> {
  const { rows } = await db.query<RequestOfShipment>({
    name: 'requests_of_shipment',
    text: `select id, request_type as "requestType", lifecycle, number, created_at as "createdAt",
                  subject_id as "subjectId"
             from tracking_requests
            where account_id = $1 and shipment_id = $2 order by created_at, id`,
    values: [key.accountId, key.shipmentId],
  })
  return rows
}
