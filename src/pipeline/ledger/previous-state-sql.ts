/**
 * The rows of a shipment at the moment when newer merge rules took it over. The entry of that moment stores them,
 * because no program has the older rules any more: a new fold of the ledger continues from here, with the ids that were
 * published (docs/decisions/0017).
 */

import type { Db } from '../../db/database.ts'
import { foldColumns } from '../projection/fold-rows-sql.ts'
import type { StoredIssue } from '../projection/issues-sql.ts'
import { type ContainerRow, lockShipment, type ShipmentRow } from '../projection/shipments-sql.ts'
import type { TrackingRequestRow } from '../projection/tracking-requests-sql.ts'

/** The columns of a request that depend on the merge rules. The rest follows from other entries. */
export type PreviousRequest = Pick<
  TrackingRequestRow,
  'id' | 'status' | 'failedReason' | 'lifecycle' | 'isRetrying' | 'retryCount' | 'timerAt' | 'updatedAt'
>

export interface PreviousState {
  readonly shipment: ShipmentRow
  readonly containers: readonly ContainerRow[]
  readonly requests: readonly PreviousRequest[]
  readonly issues: readonly StoredIssue[]
  /** Ids, in order. The rows never change, except that they end. */
  readonly transportEvents: { readonly standing: readonly string[]; readonly ended: readonly string[] }
  /** Ids, in the order in which they were recorded. */
  readonly events: readonly string[]
}

interface ShipmentRef {
  readonly accountId: string
  readonly shipmentId: string
}

/** Locks the shipment until the transaction ends. Null when there is no such shipment. */
export async function readPreviousState(db: Db, key: ShipmentRef): Promise<PreviousState | null> {
  const values = [key.accountId, key.shipmentId]
  const locked = await lockShipment(db, { accountId: key.accountId, id: key.shipmentId })
  if (locked === null) return null
  const requests = await db.query<PreviousRequest>({
    name: 'stood_requests',
    text: `select id, status, failed_reason as "failedReason", lifecycle, is_retrying as "isRetrying",
                  retry_count as "retryCount", timer_at as "timerAt", updated_at as "updatedAt"
             from tracking_requests where account_id = $1 and shipment_id = $2 order by id`,
    values,
  })
  const issues = await db.query<StoredIssue>({
    name: 'stood_issues',
    text: `select id, kind, detail, claim_id as "claimId", subject_id as "subjectId", shipment_id as "shipmentId",
                  snapshot_id as "snapshotId", times, first_at as "firstAt", last_at as "lastAt", scac,
                  tracking_request_id as "trackingRequestId", page, path, lost
             from issues where account_id = $1 and shipment_id = $2 order by id`,
    values,
  })
  const publishedRows = await db.query<{ standing: string[]; ended: string[]; events: string[] }>({
    name: 'stood_announced',
    text: `select array(select id from transport_events
                         where account_id = $1 and shipment_id = $2 and invalidated_at is null order by id) as standing,
                  array(select id from transport_events
                         where account_id = $1 and shipment_id = $2 and invalidated_at is not null order by id) as ended,
                  array(select id from (
                          select id, ordinal from events
                           where account_id = $1 and shipment_id = $2 and sequence is not null
                          union all
                          select id, ordinal from events
                           where account_id = $1 and shipment_id = $2 and sequence is null) e
                         order by ordinal) as events`,
    values,
  })
  const { standing = [], ended = [], events = [] } = publishedRows.rows[0] ?? {}
  return {
    ...locked,
    requests: requests.rows,
    issues: issues.rows,
    transportEvents: { standing, ended },
    events,
  }
}

/**
 * In the scratch tables of a rebuild: restores the events of the shipment as they were sent, and deletes everything
 * else that was published about it. Returns the number of restored events.
 */
export async function restoreEvents(db: Db, of: ShipmentRef & { readonly previous: PreviousState }): Promise<number> {
  await db.query({
    name: 'put_back_nothing',
    text: `with transport_events_gone as (delete from transport_events where account_id = $1 and shipment_id = $2)
           delete from events where account_id = $1 and shipment_id = $2`,
    values: [of.accountId, of.shipmentId],
  })
  const { rowCount } = await db.query({
    name: 'put_back_events',
    text: `insert into events (account_id, ${foldColumns.events})
           select account_id, ${foldColumns.events}
             from public.events
             join unnest($2::uuid[]) with ordinality as heard (event_id, place) on id = event_id
            where account_id = $1
            order by place`,
    values: [of.accountId, of.previous.events],
  })
  return rowCount ?? 0
}
