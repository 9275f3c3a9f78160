/**
 * What stood of a shipment when newer merge rules took it over. The entry of that moment keeps it: no program has the
 * older rules any more, so whoever folds the ledger anew goes on from here, under the ids that were announced.
 */

import type { Db } from './database.ts'
import { foldColumns, recordOf, writeTextOf } from './fold-rows.ts'
import type { KeptIssue } from './issues.ts'
import { type ContainerRow, lockShipment, type ShipmentRow } from './shipments.ts'
import type { TrackingRequestRow } from './tracking-requests.ts'

/** What the merge rules have a part in, of a request; the rest follows from other entries. */
export type StoodRequest = Pick<
  TrackingRequestRow,
  'id' | 'status' | 'failedReason' | 'lifecycle' | 'isRetrying' | 'retryCount' | 'timerAt' | 'updatedAt'
>

export interface Stood {
  readonly shipment: ShipmentRow
  readonly containers: readonly ContainerRow[]
  readonly requests: readonly StoodRequest[]
  readonly issues: readonly KeptIssue[]
  /** Ids, in order: their rows are never changed but for their end. */
  readonly transportEvents: { readonly standing: readonly string[]; readonly ended: readonly string[] }
  /** Ids, in the order in which they were heard. */
  readonly events: readonly string[]
}

interface Key {
  readonly accountId: string
  readonly shipmentId: string
}

/** Null when there is no such shipment. It is locked by this, until the transaction ends. */
export async function readStood(db: Db, key: Key): Promise<Stood | null> {
  const values = [key.accountId, key.shipmentId]
  const locked = await lockShipment(db, { accountId: key.accountId, id: key.shipmentId })
  if (locked === null) return null
  const requests = await db.query<StoodRequest>({
    name: 'stood_requests',
    text: `select id, status, failed_reason as "failedReason", lifecycle, is_retrying as "isRetrying",
                  retry_count as "retryCount", timer_at as "timerAt", updated_at as "updatedAt"
             from tracking_requests where account_id = $1 and shipment_id = $2 order by id`,
    values,
  })
  const issues = await db.query<KeptIssue>({
    name: 'stood_issues',
    text: `select id, kind, detail, claim_id as "claimId", subject_id as "subjectId", shipment_id as "shipmentId",
                  snapshot_id as "snapshotId", times, first_at as "firstAt", last_at as "lastAt", scac,
                  tracking_request_id as "trackingRequestId", page, path, lost
             from issues where account_id = $1 and shipment_id = $2 order by id`,
    values,
  })
  const announced = await db.query<{ standing: string[]; ended: string[]; events: string[] }>({
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
  const { standing = [], ended = [], events = [] } = announced.rows[0] ?? {}
  return {
    ...locked,
    requests: requests.rows,
    issues: issues.rows,
    transportEvents: { standing, ended },
    events,
  }
}

/** Makes the rows what they were. Only in tables of a session's own; what was announced is copied from the served ones. */
export async function putBack(db: Db, of: Key & { readonly stood: Stood }): Promise<void> {
  const { accountId, shipmentId, stood } = of
  const key = [accountId, shipmentId]
  await db.query({
    name: 'put_back_nothing',
    text: `with containers_gone as (delete from containers where account_id = $1 and shipment_id = $2),
                issues_gone as (delete from issues where account_id = $1 and shipment_id = $2),
                transport_events_gone as (delete from transport_events where account_id = $1 and shipment_id = $2)
           select`,
    values: key,
  })
  const { containers, shipment } = writtenOf(stood)
  await db.query({
    name: 'put_back',
    text: putBackText,
    values: [
      accountId,
      ...[[shipment], containers, stood.issues].map((rows) => JSON.stringify(rows.map(recordOf))),
    ],
  })
  await db.query({
    name: 'put_back_requests',
    text: `update tracking_requests r
              set status = t.status, failed_reason = t.failed_reason, lifecycle = t.lifecycle,
                  is_retrying = t.is_retrying, retry_count = t.retry_count, timer_at = t.timer_at,
                  updated_at = t.updated_at
             from jsonb_populate_recordset(null::public.tracking_requests, $2::jsonb) t
            where r.account_id = $1 and r.id = t.id`,
    values: [accountId, JSON.stringify(stood.requests.map(recordOf))],
  })
  const { standing, ended } = stood.transportEvents
  await db.query({
    name: 'put_back_announced',
    text: `insert into transport_events (account_id, ${foldColumns.transport_events})
           select account_id, ${announcedAgain}
             from public.transport_events
            where account_id = $1 and shipment_id = $2 and id = any($3::uuid[] || $4::uuid[])`,
    values: [...key, standing, ended],
  })
}

const putBackText = writeTextOf(['shipments', 'containers', 'issues'])

/** Of what was announced: what stood then stands again. */
const announcedAgain = foldColumns.transport_events.replace(
  /invalidated_at$/,
  'case when id = any($3::uuid[]) then null else invalidated_at end',
)

export type StoodShipment = Pick<Stood, 'shipment' | 'containers' | 'transportEvents'>

/** The rows of shipment and boxes with the columns that are only copies. */
export function writtenOf({ shipment, containers }: Pick<Stood, 'shipment' | 'containers'>) {
  const boxes = containers.map((row) => ({
    ...row,
    shipmentId: shipment.id,
    scac: shipment.scac,
    status: row.projection.status as string,
  }))
  return {
    containers: boxes,
    shipment: {
      ...shipment,
      containerIds: boxes.map(({ id }) => id),
      containerStatuses: boxes.map(({ status }) => status),
    },
  }
}

/** What was heard of the shipment before stands as it was heard. Returns how many that are. */
export async function putBackEvents(db: Db, of: Key & { readonly stood: Stood }): Promise<number> {
  await db.query({
    name: 'put_back_no_events',
    text: `delete from events where account_id = $1 and shipment_id = $2`,
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
    values: [of.accountId, of.stood.events],
  })
  return rowCount ?? 0
}
