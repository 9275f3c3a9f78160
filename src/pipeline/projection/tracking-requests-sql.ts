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

/**
 * Gives the shipment of a request the roles that the request has, or only the role `roleId`. The customer of the request
 * is a role of the shipment too if the shipment has another customer.
 */
export async function copyRolesToShipment(
  db: Db,
  of: {
    readonly accountId: string
    readonly trackingRequestId: string
    readonly shipmentId: string
    readonly roleId: string | null
  },
): Promise<void> {
  await db.query({
    name: 'party_roles_copy',
    text: `with given as (
             select role, party_id, created_at from party_roles
              where account_id = $1 and record_id = $2 and ($4::uuid is null or id = $4)
             union
             select 'customer', customer_id, created_at from tracking_requests
              where account_id = $1 and id = $2 and customer_id is not null and $4::uuid is null
           )
           insert into party_roles (account_id, id, record_type, record_id, role, party_id, created_at)
           select $1, gen_random_uuid(), 'shipment', $3, g.role, g.party_id, g.created_at
             from given g
            where g.role <> 'customer' or not exists (
                    select from shipments s where s.account_id = $1 and s.id = $3 and s.customer_id = g.party_id)
           on conflict (account_id, record_id, role, party_id) do nothing`,
    values: [of.accountId, of.trackingRequestId, of.shipmentId, of.roleId],
  })
}
