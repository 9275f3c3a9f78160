/** Tracking requests, as the pipeline writes them. What the doors read is in `read/`. */

import type {
  FailedReason,
  RequestStatus,
  RequestType,
  TrackingRequestState,
} from '../core/tracking-request-state.ts'
import type { Db } from './database.ts'

export interface TrackingRequestRow {
  readonly accountId: string
  readonly id: string
  readonly requestType: RequestType
  readonly requestNumber: string
  readonly number: string
  /** Null while the line is being found. */
  readonly scac: string | null
  /** Null when no line comes into question. */
  readonly subjectId: string | null
  readonly shipmentId: string | null
  readonly status: RequestStatus
  readonly failedReason: FailedReason | null
  readonly lifecycle: TrackingRequestState
  readonly isRetrying: boolean
  readonly retryCount: number | null
  readonly refNumbers: readonly string[]
  readonly shipmentTags: readonly string[]
  /** The party that it is tracked for. */
  readonly customerId: string | null
  /** Custom fields came with it. */
  readonly hasInitialFields: boolean
  readonly timerAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export const requestColumns = `account_id as "accountId", id, request_type as "requestType", request_number as "requestNumber",
  number, scac, subject_id as "subjectId", shipment_id as "shipmentId", status, failed_reason as "failedReason",
  lifecycle, is_retrying as "isRetrying", retry_count as "retryCount", ref_numbers as "refNumbers",
  shipment_tags as "shipmentTags", customer_id as "customerId", has_initial_fields as "hasInitialFields", timer_at as "timerAt", created_at as "createdAt", updated_at as "updatedAt"`

/** False when the account already tracks this number at this line (the partial unique index decides races), or has one of the id. */
export async function insertTrackingRequest(db: Db, request: TrackingRequestRow): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'tracking_request_insert',
    text: `insert into tracking_requests
             (account_id, id, request_type, request_number, number, scac, subject_id, shipment_id, status,
              failed_reason, lifecycle, is_retrying, retry_count, ref_numbers, shipment_tags, timer_at,
              created_at, updated_at, customer_id, has_initial_fields)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
           on conflict do nothing`,
    values: [
      request.accountId,
      request.id,
      request.requestType,
      request.requestNumber,
      request.number,
      request.scac,
      request.subjectId,
      request.shipmentId,
      request.status,
      request.failedReason,
      JSON.stringify(request.lifecycle),
      request.isRetrying,
      request.retryCount,
      request.refNumbers,
      request.shipmentTags,
      request.timerAt,
      request.createdAt,
      request.updatedAt,
      request.customerId,
      request.hasInitialFields,
    ],
  })
  return rowCount === 1
}

/**
 * Ends the task within the transaction that does its work and locks its request, in one statement. Null when there is
 * nothing to do: the lease was lost, or the request is gone.
 */
export async function endTaskOfRequest(
  db: Db,
  task: { readonly id: number; readonly token: string },
): Promise<TrackingRequestRow | null> {
  const { rows } = await db.query<TrackingRequestRow>({
    name: 'task_end',
    text: `with ended (of_account, of_request) as (
             delete from tasks where id = $1 and lease_token = $2 returning account_id, tracking_request_id
           )
           select ${requestColumns} from tracking_requests join ended on account_id = of_account and id = of_request
              for update of tracking_requests`,
    values: [task.id, task.token],
  })
  return rows[0] ?? null
}

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

/** Makes looks under one subject of one account take turns: several requests for a test number share their claims. */
export async function holdSubject(
  db: Db,
  key: { readonly accountId: string; readonly subjectId: string },
): Promise<void> {
  await db.query({
    name: 'subject_hold',
    text: `select pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))`,
    values: [key.accountId, key.subjectId],
  })
}

/** A request whose line is known. */
export type TrackedRequest = TrackingRequestRow & { readonly scac: string; readonly subjectId: string }

/** Every request of a shipment, locked in order of id (the order that keeps two such transactions from a deadlock). */
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

/**
 * Rings for the other requests of a shipment whose journeys now say something else about tracking it than they have
 * noted: each decides for itself, in an entry of its own. One that is locked is being decided by a worker already,
 * who waits for this shipment.
 */
export async function ringForSiblings(
  db: Db,
  of: {
    readonly accountId: string
    readonly shipmentId: string
    /** The one that has decided already, if one has. */
    readonly requestId: string | null
    readonly facts: {
      readonly areAllTerminated: boolean
      readonly isBookingCancelled: boolean
      readonly arrivedAt: string | null
      readonly fullOutAt: string | null
    }
    readonly at: string
  },
): Promise<void> {
  await db.query({
    name: 'tracking_requests_ring',
    text: `update tracking_requests r set timer_at = $4
            where r.account_id = $1
              and r.id in (
                select id from tracking_requests
                 where account_id = $1 and shipment_id = $2 and id is distinct from $3
                   and (status = 'created' or lifecycle ->> 'stoppedReason' = 'all_containers_terminated')
                   and jsonb_typeof(lifecycle -> 'facts') = 'object'
                   and ((lifecycle -> 'facts') - 'lastUpdateAt') <> $5::jsonb
                 for update skip locked)`,
    values: [
      of.accountId,
      of.shipmentId,
      of.requestId,
      of.at,
      JSON.stringify({
        areAllTerminated: of.facts.areAllTerminated,
        isBookingCancelled: of.facts.isBookingCancelled,
        arrivedAt: of.facts.arrivedAt,
        fullOutAt: of.facts.fullOutAt,
      }),
    ],
  })
}

/** What a shipment needs to know of a request that asks for it. */
export type AskingRequest = Pick<
  TrackedRequest,
  'id' | 'requestType' | 'number' | 'createdAt' | 'updatedAt' | 'subjectId'
>

/** The requests that a shipment came of, the first one first. */
export async function requestsOfShipment(
  db: Db,
  key: { readonly accountId: string; readonly shipmentId: string },
): Promise<readonly AskingRequest[]> {
  const { rows } = await db.query<AskingRequest>({
    name: 'requests_of_shipment',
    text: `select id, coalesce(lifecycle -> 'kinds' -> 'options' -> (lifecycle #>> '{kinds,asking}')::integer
                                     ->> 'requestType', request_type) as "requestType",
                  number, created_at as "createdAt", updated_at as "updatedAt", subject_id as "subjectId"
             from tracking_requests
            where account_id = $1 and shipment_id = $2 order by created_at, id`,
    values: [key.accountId, key.shipmentId],
  })
  return rows
}

/** Writes what an entry made of the request. */
export async function updateTrackingRequestState(
  db: Db,
  request: Omit<
    TrackingRequestRow,
    | 'requestType'
    | 'requestNumber'
    | 'refNumbers'
    | 'shipmentTags'
    | 'customerId'
    | 'hasInitialFields'
    | 'createdAt'
  >,
): Promise<void> {
  await db.query({
    name: 'tracking_request_update',
    text: `update tracking_requests
              set shipment_id = $3, status = $4, failed_reason = $5, lifecycle = $6, is_retrying = $7,
                  retry_count = $8, timer_at = $9, updated_at = $10, scac = $11, number = $12, subject_id = $13
            where account_id = $1 and id = $2`,
    values: [
      request.accountId,
      request.id,
      request.shipmentId,
      request.status,
      request.failedReason,
      JSON.stringify(request.lifecycle),
      request.isRetrying,
      request.retryCount,
      request.timerAt,
      request.updatedAt,
      request.scac,
      request.number,
      request.subjectId,
    ],
  })
}

export async function setRequestReferences(
  db: Db,
  request: {
    readonly accountId: string
    readonly id: string
    readonly refNumbers: readonly string[]
    readonly updatedAt: string
  },
): Promise<void> {
  await db.query({
    name: 'tracking_request_references',
    text: `update tracking_requests set ref_numbers = $3, updated_at = $4 where account_id = $1 and id = $2`,
    values: [request.accountId, request.id, request.refNumbers, request.updatedAt],
  })
}
