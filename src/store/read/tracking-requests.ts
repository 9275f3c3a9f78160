/** Tracking requests as the doors read them. */

import type { RequestType } from '../../core/tracking-request-state.ts'
import type { LastChangedBy } from '../audit.ts'
import type { Db } from '../database.ts'
import { boundsOf, type Page, type PageRequest, type TimeRange } from './page.ts'
import { requestCandidates } from './search-candidates.ts'

export interface TrackingRequestReading {
  readonly type: 'tracking_request'
  readonly id: string
  readonly accountId: string
  readonly requestType: RequestType
  readonly requestNumber: string
  readonly scac: string | null
  readonly shipmentId: string | null
  readonly status: string
  readonly failedReason: string | null
  readonly isRetrying: boolean
  readonly retryCount: number | null
  readonly refNumbers: readonly string[]
  readonly shipmentTags: readonly string[]
  readonly createdAt: string
  readonly updatedAt: string
  readonly customerId: string | null
  readonly lastChangedBy: LastChangedBy | null
}

const columns = `'tracking_request' as type, r.id, r.account_id as "accountId", r.request_type as "requestType",
  r.request_number as "requestNumber", r.scac, r.shipment_id as "shipmentId", r.status,
  r.failed_reason as "failedReason", r.is_retrying as "isRetrying", r.retry_count as "retryCount",
  r.ref_numbers as "refNumbers", r.shipment_tags as "shipmentTags", r.created_at as "createdAt",
  r.updated_at as "updatedAt", r.customer_id as "customerId", r.last_changed_by as "lastChangedBy"`

export async function readTrackingRequest(
  db: Db,
  key: { readonly accountId: string; readonly id: string },
): Promise<TrackingRequestReading | null> {
  const { rows } = await db.query<TrackingRequestReading>({
    name: 'read_tracking_request',
    text: `select ${columns} from tracking_requests r where r.account_id = $1 and r.id = $2`,
    values: [key.accountId, key.id],
  })
  return rows[0] ?? null
}

/** In no order. */
export async function readTrackingRequests(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly TrackingRequestReading[]> {
  const { rows } = await db.query<TrackingRequestReading>({
    name: 'read_tracking_requests',
    text: `select ${columns} from tracking_requests r where r.account_id = $1 and r.id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
  return rows
}

const trackingRequestOrders = {
  '-created_at': 'r.created_at desc, r.id',
  created_at: 'r.created_at, r.id',
  '-updated_at': 'r.updated_at desc, r.id',
  updated_at: 'r.updated_at, r.id',
} as const
export type TrackingRequestOrder = keyof typeof trackingRequestOrders

export interface TrackingRequestFilter {
  /** Part of the number or of a reference, in any case. */
  readonly q: string | null
  readonly requestNumber: string | null
  readonly requestType: RequestType | null
  readonly status: string | null
  readonly scac: string | null
  readonly createdAt: TimeRange
  readonly updatedAt: TimeRange
}

const matching = `r.account_id = $1
  and ($2::text is null
       or strpos(upper(r.request_number), upper($2)) > 0 or strpos(r.number, upper($2)) > 0
       or exists (select from unnest(r.ref_numbers) as n(number) where strpos(upper(n.number), upper($2)) > 0))
  and ($3::text is null or upper(r.request_number) = upper($3) or r.number = upper($3))
  and ($4::text is null or r.request_type = $4)
  and ($5::text is null or r.status = $5)
  and ($6::text is null or r.scac = $6)
  and ($7::timestamptz is null or r.created_at >= $7)
  and ($8::timestamptz is null or r.created_at <= $8)
  and ($9::timestamptz is null or r.updated_at >= $9)
  and ($10::timestamptz is null or r.updated_at <= $10)
  and ($11::uuid[] is null or r.id = any($11))`

export async function listTrackingRequestRows(
  db: Db,
  list: {
    readonly accountId: string
    readonly filter: TrackingRequestFilter
    readonly order: TrackingRequestOrder
    readonly page: PageRequest
  },
): Promise<Page<TrackingRequestReading>> {
  const { q, requestNumber, requestType, status, scac, createdAt, updatedAt } = list.filter
  const times = [createdAt.start, createdAt.end, updatedAt.start, updatedAt.end]
  const among = await requestCandidates(db, { accountId: list.accountId, q })
  const values = [list.accountId, q, requestNumber, requestType, status, scac, ...times, among]
  const { rows } = await db.query<TrackingRequestReading>({
    name: `list_tracking_requests_${list.order}`,
    text: `select ${columns} from tracking_requests r where ${matching}
            order by ${trackingRequestOrders[list.order]} limit $12 offset $13`,
    values: [...values, ...boundsOf(list.page)],
  })
  const counted = await db.query<{ total: number }>({
    name: 'count_tracking_requests',
    text: `select count(*) as total from tracking_requests r where ${matching}`,
    values,
  })
  return { rows: rows, total: counted.rows[0]?.total ?? 0 }
}
