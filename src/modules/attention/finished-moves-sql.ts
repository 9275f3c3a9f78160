/**
 * Removes shipments from `told_moves` and `told_ships` that are no longer under way, so that these tables stay as small
 * as what is under way. A shipment that sails again is added with its next reported arrival.
 */

import type { Db } from '../../db/database.ts'
import { acquirePerAccount, type RowOfAccount } from '../../db/distributed/acquire-per-account.ts'

/** SQL: the shipment of `t` is no longer under way. */
const isOver = (account: string) => `
  not exists (select from shipments s where s.account_id = ${account} and s.id = t.shipment_id
                                        and s.status in ('pending', 'in_transit'))`

const selectFinishedSql = (table: 'told_moves' | 'told_ships') => `(
  select t.account_id, t.shipment_id from ${table} t where ${isOver('t.account_id')} limit $1)`

const deleteFinishedSql = (table: 'told_moves' | 'told_ships') => `
  delete from ${table} t where t.account_id = $1 and t.shipment_id = any($2::uuid[]) and ${isOver('$1')}`

export async function deleteFinishedMoves(db: Db, limit: number): Promise<number> {
  const found = await db.query<RowOfAccount>({
    name: 'told_moves_over',
    text: `select account_id as "accountId", shipment_id as id from ${selectFinishedSql('told_moves')} m
           union select account_id, shipment_id from ${selectFinishedSql('told_ships')} s`,
    values: [limit],
  })
  const deleted = await acquirePerAccount(found.rows, async (accountId, ids) => {
    const { rows } = await db.query({
      name: 'told_moves_forget',
      text: `with moves as (${deleteFinishedSql('told_moves')} returning 1), ships as (${deleteFinishedSql('told_ships')} returning 1)
             select from moves union all select from ships`,
      values: [accountId, ids],
    })
    return rows
  })
  return deleted.length
}
