/**
 * Lets go of shipments in `told_moves` and `told_ships` that are no longer under way, so that these tables stay as small
 * as what is under way. One that sails again is noted with the next arrival that is told of it.
 */

import type { Db } from '../database.ts'
import { type RowOfAccount, takeOfEach } from '../ground/by-account.ts'

/** SQL: the shipment of `t` is no longer under way. */
const isOver = (account: string) => `
  not exists (select from shipments s where s.account_id = ${account} and s.id = t.shipment_id
                                        and s.status in ('pending', 'in_transit'))`

const over = (table: 'told_moves' | 'told_ships') => `(
  select t.account_id, t.shipment_id from ${table} t where ${isOver('t.account_id')} limit $1)`

const forgetOver = (table: 'told_moves' | 'told_ships') => `
  delete from ${table} t where t.account_id = $1 and t.shipment_id = any($2::uuid[]) and ${isOver('$1')}`

export async function forgetToldMoves(db: Db, limit: number): Promise<number> {
  const found = await db.query<RowOfAccount>({
    name: 'told_moves_over',
    text: `select account_id as "accountId", shipment_id as id from ${over('told_moves')} m
           union select account_id, shipment_id from ${over('told_ships')} s`,
    values: [limit],
  })
  const gone = await takeOfEach(found.rows, async (accountId, ids) => {
    const { rows } = await db.query({
      name: 'told_moves_forget',
      text: `with moves as (${forgetOver('told_moves')} returning 1), ships as (${forgetOver('told_ships')} returning 1)
             select from moves union all select from ships`,
      values: [accountId, ids],
    })
    return rows
  })
  return gone.length
}
