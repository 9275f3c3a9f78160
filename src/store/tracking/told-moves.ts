/**
 * Lets go of shipments in `told_moves` and `told_ships` that are no longer under way, so that these tables stay as small
 * as what is under way. One that sails again is noted with the next arrival that is told of it.
 */

import type { Db } from '../database.ts'

/** What of a table is of shipments that are no longer under way. */
const over = (table: 'told_moves' | 'told_ships') => `delete from ${table} where ctid = any(array(
  select t.ctid from ${table} t
   where not exists (select from shipments s where s.account_id = t.account_id and s.id = t.shipment_id
                                               and s.status in ('pending', 'in_transit'))
   limit $1))`

export async function forgetToldMoves(db: Db, limit: number): Promise<number> {
  const { rows } = await db.query<{ gone: number }>({
    name: 'told_moves_forget',
    text: `with moves as (${over('told_moves')} returning 1), ships as (${over('told_ships')} returning 1)
           select ((select count(*) from moves) + (select count(*) from ships))::integer as gone`,
    values: [limit],
  })
  return rows[0]?.gone ?? 0
}
