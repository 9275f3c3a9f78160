/** Whether an installation is divided among the nodes of a Citus cluster (`distribute.ts`). */

import type pg from 'pg'

export async function hasCitus(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(`select from pg_extension where extname = 'citus'`)
  return rowCount === 1
}

export async function isDistributed(client: pg.ClientBase): Promise<boolean> {
  if (!(await hasCitus(client))) return false
  const { rowCount } = await client.query(
    `select from pg_dist_partition where logicalrelid = to_regclass('public.shipments')`,
  )
  return rowCount === 1
}
