/**
 * Which numbers were named under one bill or booking in messages that did not name the line. Each account has its own.
 */

import type { Db } from '../../db/database.ts'

export interface Companion {
  readonly bill: string
  readonly number: string
}

export async function putCompanions(
  db: Db,
  of: { readonly accountId: string; readonly companions: readonly Companion[]; readonly at: string },
): Promise<void> {
  const distinct = new Map(of.companions.map((each) => [`${each.bill} ${each.number}`, each]))
  if (distinct.size === 0) return
  await db.query({
    name: 'inference_companions_put',
    text: `insert into inference_companions (account_id, bill, number, heard_at)
           select $1, bill, number, $3::timestamptz
             from jsonb_to_recordset($2::jsonb) as c (bill text, number text)
               on conflict (account_id, bill, number)
               do update set heard_at = greatest(inference_companions.heard_at, excluded.heard_at)`,
    values: [of.accountId, JSON.stringify([...distinct.values()]), of.at],
  })
}

/**
 * The bill under which a number was last named, and the other numbers under that bill. Empty when nothing was named
 * after `since`.
 */
export async function findCompanions(
  db: Db,
  of: {
    readonly accountId: string
    readonly number: string
    readonly since: string
    readonly limit: number
  },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ bill: string; number: string }>({
    name: 'inference_companions_find',
    text: `with last as (
             select bill from inference_companions
              where account_id = $1 and (number = $2 or bill = $2) and heard_at > $3
              order by heard_at desc, bill limit 1
           )
           select c.bill, c.number from inference_companions c join last using (bill)
            where c.account_id = $1 and c.heard_at > $3
            order by c.number limit $4`,
    values: [of.accountId, of.number, of.since, of.limit],
  })
  const named = new Set(rows.flatMap(({ bill, number }) => [bill, number]))
  named.delete(of.number)
  return [...named]
}

/** Most accounts have none. With this known, predictions for them need not search for any. */
export async function hasCompanions(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>({
    name: 'inference_companions_any',
    text: `select exists (select from inference_companions where account_id = $1) as has`,
    values: [accountId],
  })
  return rows[0]?.has === true
}

export async function deleteCompanions(db: Db, accountId: string): Promise<void> {
  await db.query({
    name: 'inference_companions_forget',
    text: `delete from inference_companions where account_id = $1`,
    values: [accountId],
  })
}

/** Deletes one batch of what was last ingested before these times. Returns how many rows. */
export async function dropCompanions(
  db: Db,
  of: { readonly since: string; readonly sandboxSince: string; readonly limit: number },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'inference_companions_drop',
    text: `delete from inference_companions where (account_id, bill, number) in (
             select c.account_id, c.bill, c.number from inference_companions c join accounts a on a.id = c.account_id
              where c.heard_at < case when a.is_fiction then $2::timestamptz else $1::timestamptz end
              limit $3)`,
    values: [of.since, of.sandboxSince, of.limit],
  })
  return rowCount ?? 0
}
