/** Whether an installation is distributed over the nodes of a Citus cluster (`distribute-tables.ts`). */

import type { Db } from '../database.ts'

export async function hasCitus(db: Db): Promise<boolean> {
  const { rows } = await db.query({ text: `select from pg_extension where extname = 'citus'` })
  return rows.length > 0
}

export async function isDistributed(db: Db): Promise<boolean> {
  if (!(await hasCitus(db))) return false
  const { rows } = await db.query({
    text: `select from pg_dist_partition where logicalrelid = to_regclass('public.shipments')`,
  })
  return rows.length > 0
}
