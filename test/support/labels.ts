/** Labels of shipments, containers and requests, compared with what their rows say. */

import type { Db } from '../../src/db/database.ts'

/** Makes the account one of before the upgrade: its rows have no labels. */
export async function forgetLabels(db: Db, accountId: string): Promise<void> {
  await db.query({ text: 'delete from labels where account_id = $1', values: [accountId] })
  await db.query({ text: 'insert into unlabelled (account_id) values ($1)', values: [accountId] })
}

/** How many labels there are, and those that are missing, that should not be there, or that have another time. */
export async function findStrayLabels(db: Db): Promise<{ readonly count: number; readonly strays: readonly string[] }> {
  const { rows } = await db.query<{ account: string; id: string; term: string; at: string }>({
    text: `with wanted as (
             select account_id, id, unnest(labels_of('s', tags, ref_numbers)) as term, created_at as at from shipments
             union all
             select c.account_id, c.id, unnest(labels_of('c', s.tags, c.ref_numbers)), c.updated_at
               from containers c join shipments s on s.account_id = c.account_id and s.id = c.shipment_id
             union all
             select account_id, id, unnest(labels_of('q', shipment_tags, ref_numbers)), created_at from tracking_requests
           ), kept as (select account_id, id, term, at from labels)
           select account_id as account, id, term, at::text
             from ((table wanted except table kept) union all (table kept except table wanted)) as stray`,
  })
  const counted = await db.query<{ count: number }>({ text: 'select count(*) as count from labels' })
  return {
    count: counted.rows[0]?.count ?? 0,
    strays: rows.map(({ account, id, term, at }) => [account, id, term, at].join(' ')),
  }
}
