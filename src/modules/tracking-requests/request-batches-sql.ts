/** Batches of tracking requests: what was requested at once, and the queue of what still waits. */

import type { Db } from '../../db/database.ts'
import type { FailedReason, RequestStatus } from '../../domain/tracking-requests/tracking-request-state.ts'

export const itemStatuses = ['queued', 'created', 'refused'] as const
export type ItemStatus = (typeof itemStatuses)[number]

export interface ItemError {
  readonly code: string
  readonly detail: string
  /** Points into the item, or to a parameter of it; null where the fault has no place. */
  readonly pointer: string | null
  readonly meta?: Readonly<Record<string, unknown>>
}

/** What became of the request of an item. */
export interface RequestOutcome {
  readonly status: RequestStatus
  readonly failedReason: FailedReason | null
  readonly scac: string | null
  readonly shipmentId: string | null
}

export interface BatchItem {
  readonly place: number
  readonly status: ItemStatus
  /** Chosen before the request is made. */
  readonly trackingRequestId: string
  readonly errors: readonly ItemError[] | null
  /** The earliest time at which it is made, real clock; null once it has a final result. */
  readonly dueAt: string | null
  /** Null before the request is made. */
  readonly request: RequestOutcome | null
}

/** `input` null: the item could not be read, and is refused from the beginning. */
export type NewBatchItem = Omit<BatchItem, 'place' | 'request'> & { readonly input: unknown }

export interface NewBatch {
  readonly accountId: string
  readonly id: string
  readonly actor: unknown
  readonly scopes: readonly string[]
  readonly requestId: string
  readonly createdAt: string
}

/**
 * Items that are due now are leased to the caller until `until`. Returns false, and writes nothing, when a batch with
 * this id exists.
 */
export async function insertBatch(
  db: Db,
  batch: NewBatch,
  items: readonly NewBatchItem[],
  lease: { readonly token: string; readonly until: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'request_batch_insert',
    text: `with batch as (
             insert into request_batches (account_id, id, actor, scopes, request_id, items_total, created_at)
             values ($1, $2, $3, $4, $5, jsonb_array_length($6::jsonb), $7)
             on conflict do nothing
             returning account_id, id
           )
           insert into request_batch_items
             (account_id, batch_id, place, input, status, tracking_request_id, errors, due_at, leased_until, lease_token, settled_at)
           select b.account_id, b.id, i.place - 1, i.input, i.status, i."trackingRequestId", i.errors, i."dueAt",
                  case when i."dueAt" <= $7 then $8::timestamptz end, case when i."dueAt" <= $7 then $9::uuid end,
                  case when i.status <> 'queued' then $7::timestamptz end
             from batch b,
                  rows from (jsonb_to_recordset($6::jsonb) as (
                    input jsonb, status text, "trackingRequestId" uuid, errors jsonb, "dueAt" timestamptz))
                    with ordinality as i(input, status, "trackingRequestId", errors, "dueAt", place)`,
    values: [
      batch.accountId,
      batch.id,
      JSON.stringify(batch.actor),
      batch.scopes,
      batch.requestId,
      JSON.stringify(items),
      batch.createdAt,
      lease.until,
      lease.token,
    ],
  })
  return (rowCount ?? 0) > 0
}

export interface BatchReading {
  readonly id: string
  readonly createdAt: string
  /** In order. */
  readonly items: readonly BatchItem[]
}

export async function readBatch(
  db: Db,
  key: { readonly accountId: string; readonly id: string },
): Promise<BatchReading | null> {
  const { rows } = await db.query<{ createdAt: string }>({
    name: 'request_batch_read',
    text: `select created_at as "createdAt" from request_batches where account_id = $1 and id = $2`,
    values: [key.accountId, key.id],
  })
  const batch = rows[0]
  if (batch === undefined) return null
  const items = await db.query<BatchItem>({
    name: 'request_batch_items_read',
    text: `select i.place, i.status, i.tracking_request_id as "trackingRequestId", i.errors, i.due_at as "dueAt",
                  case when r.id is not null then json_build_object('status', r.status,
                    'failedReason', r.failed_reason, 'scac', r.scac, 'shipmentId', r.shipment_id) end as request
             from request_batch_items i
             left join tracking_requests r on r.account_id = i.account_id and r.id = i.tracking_request_id
            where i.account_id = $1 and i.batch_id = $2 order by i.place`,
    values: [key.accountId, key.id],
  })
  return { id: key.id, createdAt: batch.createdAt, items: items.rows }
}

/** The latest time at which an item of the account is due; null when nothing waits. */
export async function lastQueuedAt(db: Db, accountId: string): Promise<string | null> {
  const { rows } = await db.query<{ at: string | null }>({
    name: 'request_batch_last_queued',
    text: `select max(due_at) as at from request_batch_items where account_id = $1 and status = 'queued'`,
    values: [accountId],
  })
  return rows[0]?.at ?? null
}

export interface NeighbourItem {
  readonly number: string
  /** The line as it was given, or as it was found by now; null while nobody knows it. */
  readonly scac: string | null
}

/**
 * The other items of the batch that are near this one in the list, because numbers of one bill are usually next to each
 * other (docs/decisions/0020).
 */
export async function readNeighbours(
  db: Db,
  item: {
    readonly accountId: string
    readonly batchId: string
    readonly place: number
    readonly reach: number
  },
): Promise<readonly NeighbourItem[]> {
  const { rows } = await db.query<NeighbourItem>({
    name: 'request_batch_neighbours_read',
    text: `select i.input->>'requestNumber' as number,
                  case when r.id is null then i.input->>'scac' when r.status <> 'failed' then r.scac end as scac
             from request_batch_items i
             left join tracking_requests r on r.account_id = i.account_id and r.id = i.tracking_request_id
            where i.account_id = $1 and i.batch_id = $2 and i.place between $3::int - $4::int and $3::int + $4::int
              and i.place <> $3 and i.input ? 'requestNumber'
            order by i.place`,
    values: [item.accountId, item.batchId, item.place, item.reach],
  })
  return rows
}

export interface QueuedItem {
  readonly accountId: string
  readonly companyName: string
  readonly isSandbox: boolean
  readonly batchId: string
  readonly place: number
  readonly input: unknown
  readonly trackingRequestId: string
  readonly actor: unknown
  readonly scopes: readonly string[]
  readonly requestId: string
  readonly token: string
}

/**
 * Leases the head of one account's queue. It selects an account whose first item is due and none of whose items another
 * worker has, so that items are made in order. The lock lets only one worker at a time see what is leased.
 */
export async function leaseItems(
  db: Db,
  lease: { readonly token: string; readonly now: string; readonly until: string; readonly limit: number },
): Promise<readonly QueuedItem[]> {
  await db.query({
    name: 'request_batches_lease_lock',
    text: `select pg_advisory_xact_lock(hashtext('request_batches_lease'))`,
  })
  const { rows } = await db.query<QueuedItem>({
    name: 'request_batches_lease',
    text: `with head as (
             select distinct on (account_id) account_id, due_at
               from request_batch_items where status = 'queued'
              order by account_id, batch_id, place
           ), free as (
             select h.account_id from head h
              where h.due_at <= $1
                and not exists (select from request_batch_items i
                                 where i.account_id = h.account_id and i.status = 'queued' and i.leased_until > $1)
              order by h.due_at
              limit 1
           ), next as (
             select i.account_id, i.batch_id, i.place
               from request_batch_items i join free f on f.account_id = i.account_id
              where i.status = 'queued'
              order by i.batch_id, i.place
              limit $3
           ), taken as (
             update request_batch_items i set leased_until = $2, lease_token = $4
               from next n
              where i.account_id = n.account_id and i.batch_id = n.batch_id and i.place = n.place
             returning i.account_id, i.batch_id, i.place, i.input, i.tracking_request_id, i.lease_token
           )
           select t.account_id as "accountId", a.company_name as "companyName", a.is_fiction as "isSandbox",
                  t.batch_id as "batchId", t.place, t.input, t.tracking_request_id as "trackingRequestId",
                  t.lease_token as token, b.actor, b.scopes, b.request_id as "requestId"
             from taken t
             join accounts a on a.id = t.account_id
             join request_batches b on b.account_id = t.account_id and b.id = t.batch_id
            order by t.batch_id, t.place`,
    values: [lease.now, lease.until, lease.limit, lease.token],
  })
  return rows
}

interface LeasedItemKey {
  readonly accountId: string
  readonly batchId: string
  readonly place: number
  readonly token: string
}

/** Notes that the request was made, or refused with reasons. Does nothing when another worker has the item by now. */
export async function completeItem(
  db: Db,
  item: LeasedItemKey & { readonly errors: readonly ItemError[] | null; readonly at: string },
): Promise<void> {
  await db.query({
    name: 'request_batch_item_settle',
    text: `update request_batch_items
              set status = case when $4::jsonb is null then 'created' else 'refused' end, errors = $4, settled_at = $5,
                  due_at = null, leased_until = null, lease_token = null
            where account_id = $1 and batch_id = $2 and place = $3 and lease_token = $6`,
    values: [
      item.accountId,
      item.batchId,
      item.place,
      item.errors === null ? null : JSON.stringify(item.errors),
      item.at,
      item.token,
    ],
  })
}

/** Puts the item back into its place in the queue. Does nothing when another worker has it by now. */
export async function postponeItem(db: Db, item: LeasedItemKey & { readonly dueAt: string }): Promise<void> {
  await db.query({
    name: 'request_batch_item_postpone',
    text: `update request_batch_items set due_at = $4, leased_until = null, lease_token = null
            where account_id = $1 and batch_id = $2 and place = $3 and status = 'queued' and lease_token = $5`,
    values: [item.accountId, item.batchId, item.place, item.dueAt, item.token],
  })
}
