/** Tracking requests as the APIs read them. */

import type { Db } from '../../db/database.ts'
import { addLabels, type TagFilter } from '../../db/listing/add-labels.ts'
import { makeConditions, sql } from '../../db/listing/conditions.ts'
import { countGroups, type Groups } from '../../db/listing/count-groups.ts'
import { addFieldConditions, type FieldCondition } from '../../db/listing/field-conditions.ts'
import { getJsonInstant, readJsonInstant } from '../../db/listing/json-instant.ts'
import {
  countUpTo,
  type ListingSpec,
  readListing,
  readOrder,
  rowJson,
  type SortColumn,
} from '../../db/listing/listing.ts'
import type { Page, PageRequest, TimeRange } from '../../db/listing/page.ts'
import type { LineDetection } from '../../domain/tracking-requests/line-detection.ts'
import type { RequestType } from '../../domain/tracking-requests/tracking-request-state.ts'
import type { LastChangedBy } from '../audit/audit-events-sql.ts'
import { userOf } from '../audit/author-sql.ts'
import { requestCandidates } from '../search/search-candidates-sql.ts'
import { plainQuery } from '../search/search-sql.ts'

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
  /** The person who made it; null when a program did. */
  readonly userId: string | null
  /** The kind of number by which the line knows it, when that differs from the kind that was sent. */
  readonly trackedAs: RequestType | null
  /** Real clock. Set only while the request waits for an answer and its line, at the last poll, requested a pause. */
  readonly lineLeftAloneUntil: string | null
  /** About the line's last answer; null when that had no events. */
  readonly isPartlyUnderstood: boolean | null
  /**
   * Set when its line is not polled, so that the request waits for what the line sends. `until`: when that wait ends,
   * for a request that is still searched for.
   */
  readonly awaits: { readonly scac: string | null; readonly until: string | null } | null
  /** The message from which it was made; null where somebody requested it. */
  readonly madeBy: { readonly channel: string; readonly messageId: string } | null
  /** Which lines are polled while its line is being found, and after that failed; otherwise null. */
  readonly detection: LineDetection | null
}

const trackedAs = `case when r.shipment_id is not null and r.lifecycle ? 'kinds' then nullif(
  r.lifecycle -> 'kinds' -> 'options' -> (r.lifecycle #>> '{kinds,asking}')::integer ->> 'requestType', r.request_type) end`

const awaits = `case when r.lifecycle ? 'isToldOf' and r.status in ('pending', 'awaiting_manifest', 'created')
  then json_build_object('scac', r.scac, 'until', case when r.status = 'awaiting_manifest' then
    to_char(r.timer_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') end) end`

const userId = userOf({ account: '$1', target: 'r.id', action: 'tracking_request.created' })

const ofAccount = `'tracking_request' as type, r.id, r.account_id as "accountId", r.request_type as "requestType",
  r.request_number as "requestNumber", r.scac, r.shipment_id as "shipmentId", r.status,
  r.failed_reason as "failedReason", r.is_retrying as "isRetrying", r.retry_count as "retryCount",
  r.ref_numbers as "refNumbers", r.shipment_tags as "shipmentTags", r.created_at as "createdAt",
  r.updated_at as "updatedAt", r.customer_id as "customerId", r.last_changed_by as "lastChangedBy", ${trackedAs} as "trackedAs",
  r.lifecycle -> 'detection' as detection, ${awaits} as awaits, ${userId} as "userId"`

/** Only for requests that wait for an answer, so that the others cost no look-up of the line. */
const lineLeftAloneUntil = `case when r.is_waiting then (
  select c.left_alone_until from subjects s join channels c on c.id = s.credential_id where s.id = r.subject_id) end`

const isPartlyUnderstood = `(select s.is_partly_understood from subjects s where s.id = r.subject_id)`

const madeBy = `(select json_build_object('channel', c.name, 'messageId', m.message_id)
  from wanted_requests w join mentions m on m.id = w.mention_id join channels c on c.id = w.channel_id
 where w.account_id = $1 and w.tracking_request_id = r.id and w.status = 'made' limit 1)`

/** Poll targets, channels and mentions may lie on another machine: they are read once the requests are found. */
const inTwoSteps = {
  columns: `${rowJson(ofAccount)} as told, r.subject_id,
            r.status in ('pending', 'awaiting_manifest') or r.is_retrying as is_waiting`,
  value: `json_build_array(r.told, ${lineLeftAloneUntil}, ${isPartlyUnderstood}, ${madeBy})`,
}

type SeparateMember = 'lineLeftAloneUntil' | 'isPartlyUnderstood' | 'madeBy'
type RequestJson = readonly [
  told: Omit<TrackingRequestReading, SeparateMember>,
  lineLeftAloneUntil: string | null,
  isPartlyUnderstood: boolean | null,
  madeBy: TrackingRequestReading['madeBy'],
]

function readRequestJson(json: RequestJson): TrackingRequestReading {
  const [requestJson, lineLeftAloneUntil, isPartlyUnderstood, madeBy] = json
  return {
    ...requestJson,
    createdAt: getJsonInstant(requestJson.createdAt),
    updatedAt: getJsonInstant(requestJson.updatedAt),
    lineLeftAloneUntil: readJsonInstant(lineLeftAloneUntil),
    isPartlyUnderstood,
    madeBy,
  }
}

export async function readTrackingRequest(
  db: Db,
  key: { readonly accountId: string; readonly id: string },
): Promise<TrackingRequestReading | null> {
  const rows = await readTrackingRequests(db, { accountId: key.accountId, ids: [key.id] })
  return rows[0] ?? null
}

/** In no particular order. */
export async function readTrackingRequests(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly TrackingRequestReading[]> {
  const { rows } = await db.query<{ json: RequestJson }>({
    name: 'read_tracking_requests',
    text: `with r as materialized (
             select r.id, ${inTwoSteps.columns} from tracking_requests r where r.account_id = $1 and r.id = any($2::uuid[]))
           select ${inTwoSteps.value} as json from r`,
    values: [of.accountId, of.ids],
  })
  return rows.map(({ json }) => readRequestJson(json))
}

/** What the list can be sorted by. A leading `-` reverses the order. */
export const requestSorts = {
  created_at: { column: 'created_at', type: 'timestamptz' },
  updated_at: { column: 'updated_at', type: 'timestamptz' },
} as const satisfies Readonly<Record<string, SortColumn>>
type RequestSort = keyof typeof requestSorts
export type TrackingRequestOrder = RequestSort | `-${RequestSort}`

/** Null, or left out: no condition. */
export interface TrackingRequestFilter {
  /** Part of the number or of a reference, in upper or lower case. */
  readonly q: string | null
  readonly requestNumber: string | null
  readonly requestType: RequestType | null
  readonly status: string | readonly string[] | null
  readonly scac: string | null
  readonly createdAt: TimeRange
  readonly updatedAt: TimeRange
  readonly failedReason?: string | null
  readonly shipmentId?: string | null
  readonly refNumber?: string | null
  /** Given for the shipment. */
  readonly tags?: TagFilter | null
  readonly customerId?: string | null
  readonly fields?: readonly FieldCondition[]
}

export interface TrackingRequestList {
  readonly accountId: string
  readonly filter: TrackingRequestFilter
  readonly order: TrackingRequestOrder
  readonly page: PageRequest
  readonly isCounted?: boolean
}

export async function listTrackingRequestRows(
  db: Db,
  list: TrackingRequestList,
): Promise<Page<TrackingRequestReading>> {
  const { rows, ...rest } = await readListing<RequestJson>(db, await buildListing(db, list))
  return { rows: rows.map(readRequestJson), ...rest }
}

/** Null when there are more than the bound. */
export async function countTrackingRequestRows(
  db: Db,
  list: TrackingRequestList,
  bound: number,
): Promise<number | null> {
  return countUpTo(db, await buildListing(db, list), bound)
}

/** What requests can be counted by. */
export const requestGroups = {
  status: 'r.status',
  failed_reason: 'r.failed_reason',
  request_type: 'r.request_type',
  line: 'r.scac',
} as const
export type TrackingRequestGroup = keyof typeof requestGroups

export async function countTrackingRequestsBy(
  db: Db,
  of: Pick<TrackingRequestList, 'accountId' | 'filter'>,
  { by, bound }: { readonly by: TrackingRequestGroup; readonly bound: number },
): Promise<Groups> {
  const list = await buildListing(db, { ...of, order: '-created_at', page: { number: 1, size: 1 } })
  return countGroups(db, list, { value: requestGroups[by], bound })
}

async function buildListing(db: Db, list: TrackingRequestList): Promise<ListingSpec> {
  const { accountId, filter, page, isCounted = true } = list
  const conditions = makeConditions('r', accountId)
  const order = readOrder(requestSorts, list.order)
  const { refNumber, tags } = filter
  const labels = {
    table: 'tracking_requests',
    alias: 'r',
    sortedBy: order.sort.column,
    accountId,
    refNumber,
    tags,
  } as const
  const createdAt = await addLabels(db, conditions, labels)
  const { add, addAnyOf, addRange } = conditions
  const q = filter.q === null ? null : plainQuery(filter.q)
  const number = filter.requestNumber === null ? null : plainQuery(filter.requestNumber)
  add(sql`exists (select from (select nullif(search_tidy(${q}), '') as part) as q
                   where strpos(search_tidy(r.request_number), part) > 0 or strpos(search_tidy(r.number), part) > 0
                      or exists (select from unnest(r.ref_numbers) as n(number) where strpos(search_tidy(n.number), part) > 0))`)
  add(sql`r.id = any(${await requestCandidates(db, { accountId, q: filter.q })}::uuid[])`)
  add(
    sql`(upper(r.request_number) = upper(${number}) or r.number = upper(${number}) or r.number = search_tidy(${number}))`,
  )
  add(sql`r.request_type = ${filter.requestType}`)
  addAnyOf('r.status', filter.status)
  add(sql`r.failed_reason = ${filter.failedReason}`)
  add(sql`r.scac = ${filter.scac}`)
  add(sql`r.shipment_id = ${filter.shipmentId}`)
  add(sql`r.customer_id = ${filter.customerId}`)
  addRange(createdAt, filter.createdAt)
  addRange('r.updated_at', filter.updatedAt)
  addFieldConditions(conditions, 'r', filter.fields)
  return {
    table: 'tracking_requests',
    alias: 'r',
    select: inTwoSteps,
    joins: '',
    ...order,
    conditions,
    page,
    isCounted,
  }
}
