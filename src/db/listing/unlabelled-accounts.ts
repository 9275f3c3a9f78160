/**
 * Accounts whose shipments, containers and requests from before migration 0122 have no labels yet, and how far the
 * labelling of each has come. What is written meanwhile gets its labels by triggers.
 */

import type { Db } from '../database.ts'

export interface UnlabelledAccount {
  readonly accountId: string
  /** Shipments with their containers come first. */
  readonly part: 'shipments' | 'tracking_requests'
  /** All rows up to this id have their labels. */
  readonly afterId: string
}

/** True when every row of the account has its labels. */
export async function areLabelled(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await db.query({
    name: 'unlabelled_of',
    text: 'select from unlabelled where account_id = $1',
    values: [accountId],
  })
  return rows.length === 0
}

/** An account, locked until the transaction ends. Null when there is none, or when others have locked all. */
export async function lockUnlabelled(db: Db): Promise<UnlabelledAccount | null> {
  const { rows } = await db.query<UnlabelledAccount>({
    name: 'unlabelled_lock',
    text: `select account_id as "accountId", part, after_id as "afterId" from unlabelled
            order by account_id limit 1 for update skip locked`,
  })
  return rows[0] ?? null
}

/**
 * Labels the next shipments, at most `limit`, and their containers. Returns the ids of the shipments in order. The rows
 * are locked against changes, so that no label is written of what was true a moment ago, in the order in which a fold
 * locks them: shipments by id, then containers.
 */
export async function labelShipments(
  db: Db,
  { accountId, afterId }: UnlabelledAccount,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'unlabelled_shipments_lock',
    text: `select id from shipments where account_id = $1 and id > $2 order by id limit $3 for share`,
    values: [accountId, afterId, limit],
  })
  const ids = rows.map(({ id }) => id)
  await db.query({
    name: 'unlabelled_containers_lock',
    text: `select id from containers where account_id = $1 and shipment_id = any($2::uuid[]) for share`,
    values: [accountId, ids],
  })
  await db.query({
    name: 'unlabelled_shipments',
    text: `insert into labels (account_id, id, term, at)
           select s.account_id, s.id, unnest(labels_of('s', s.tags, s.ref_numbers)), s.created_at
             from shipments s where s.account_id = $1 and s.id = any($2::uuid[])
           union all
           select c.account_id, c.id, unnest(labels_of('c', s.tags, c.ref_numbers)), c.updated_at
             from shipments s join containers c on c.account_id = $1 and c.shipment_id = s.id
            where s.account_id = $1 and s.id = any($2::uuid[])
               on conflict (account_id, id, term) do nothing`,
    values: [accountId, ids],
  })
  return ids
}

/** The same for tracking requests. */
export async function labelRequests(
  db: Db,
  { accountId, afterId }: UnlabelledAccount,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'unlabelled_requests_lock',
    text: `select id from tracking_requests where account_id = $1 and id > $2 order by id limit $3 for share`,
    values: [accountId, afterId, limit],
  })
  const ids = rows.map(({ id }) => id)
  await db.query({
    name: 'unlabelled_requests',
    text: `insert into labels (account_id, id, term, at)
           select r.account_id, r.id, unnest(labels_of('q', r.shipment_tags, r.ref_numbers)), r.created_at
             from tracking_requests r where r.account_id = $1 and r.id = any($2::uuid[])
               on conflict (account_id, id, term) do nothing`,
    values: [accountId, ids],
  })
  return ids
}

export async function storeLabellingProgress(db: Db, { accountId, part, afterId }: UnlabelledAccount): Promise<void> {
  await db.query({
    name: 'unlabelled_note',
    text: `update unlabelled set part = $2, after_id = $3 where account_id = $1`,
    values: [accountId, part, afterId],
  })
}

/** Every row of the account has its labels. From now on its lists are read along them. */
export async function finishLabelling(db: Db, accountId: string): Promise<void> {
  await db.query({
    name: 'unlabelled_end',
    text: `delete from unlabelled where account_id = $1`,
    values: [accountId],
  })
}

export async function countUnlabelled(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'unlabelled_count',
    text: 'select count(*) as count from unlabelled',
  })
  return rows[0]?.count ?? 0
}
