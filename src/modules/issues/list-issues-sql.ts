/** Issues as the APIs read them: what could not be read or believed of the answers to one account. */

import type { Db } from '../../db/database.ts'
import { makeConditions, sql } from '../../db/listing/conditions.ts'
import { getJsonInstant } from '../../db/listing/json-instant.ts'
import { readListing, readOrder, rowJson, type SortColumn } from '../../db/listing/listing.ts'
import type { Page, PageRequest } from '../../db/listing/page.ts'

export interface IssueReading {
  readonly type: 'issue'
  readonly id: string
  readonly kind: string
  /** Null in rows from before the line was recorded, where it is not known. */
  readonly scac: string | null
  readonly lost: string | null
  readonly page: number | null
  readonly path: string | null
  readonly detail: string
  readonly times: number
  /** Journey clock. */
  readonly firstAt: string
  readonly lastAt: string
  readonly trackingRequestId: string | null
  readonly shipmentId: string | null
  readonly rawEventId: string | null
  /** The answer in which it was first found. */
  readonly snapshotId: string | null
}

/** Null: no condition. */
export interface IssueFilter {
  readonly scac: string | null
  readonly kind: string | null
  readonly shipmentId: string | null
  readonly trackingRequestId: string | null
  /** Seen at that time or later. */
  readonly since: string | null
}

const issueSorts = {
  last_seen_at: { column: 'last_at', type: 'timestamptz' },
} as const satisfies Readonly<Record<string, SortColumn>>
export type IssueOrder = 'last_seen_at' | '-last_seen_at'

const columns = `'issue' as type, i.id, i.kind, i.scac, i.lost, i.page, i.path, i.detail, i.times, i.first_at as "firstAt",
  i.last_at as "lastAt", i.tracking_request_id as "trackingRequestId",
  coalesce(i.shipment_id, r.shipment_id) as "shipmentId", i.claim_id as "rawEventId", i.snapshot_id as "snapshotId"`

/**
 * Each order by a line or a kind has an index of its own. The issues of one shipment are gathered first, because they
 * are few.
 */
export async function listIssueRows(
  db: Db,
  list: {
    readonly accountId: string
    readonly filter: IssueFilter
    readonly order: IssueOrder
    readonly page: PageRequest
  },
): Promise<Page<IssueReading>> {
  const { accountId, filter, order, page } = list
  const { shipmentId, trackingRequestId } = filter
  const conditions = makeConditions('i', accountId)
  if (shipmentId !== null) {
    const id = conditions.bind(shipmentId)
    conditions.addFewText(
      `(i.shipment_id = ${id} or i.tracking_request_id in (
          select r.id from tracking_requests r where r.account_id = $1 and r.shipment_id = ${id}))`,
    )
  }
  if (trackingRequestId !== null) conditions.addFew('i.tracking_request_id', [trackingRequestId])
  conditions.addAnyOf('i.scac', filter.scac)
  conditions.addAnyOf('i.kind', filter.kind)
  conditions.add(sql`i.last_at >= ${filter.since}`)
  const { rows, ...rest } = await readListing<IssueReading>(db, {
    table: 'issues',
    alias: 'i',
    select: rowJson(columns),
    joins: 'left join tracking_requests r on r.account_id = i.account_id and r.id = i.tracking_request_id',
    ...readOrder(issueSorts, order),
    conditions,
    page,
    isCounted: true,
  })
  const read = ({ firstAt, lastAt, ...row }: IssueReading): IssueReading => ({
    ...row,
    firstAt: getJsonInstant(firstAt),
    lastAt: getJsonInstant(lastAt),
  })
  return { rows: rows.map(read), ...rest }
}
