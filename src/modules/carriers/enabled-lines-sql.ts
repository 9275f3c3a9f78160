/** Which lines that are not for everybody (access "account") an account may track. */

import type { Db } from '../../db/database.ts'

export async function listEnabledLines(db: Db, accountId: string): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ scac: string }>({
    name: 'account_shipping_lines',
    text: `select scac from account_shipping_lines where account_id = $1`,
    values: [accountId],
  })
  return new Set(rows.map(({ scac }) => scac))
}

/** A line that is already enabled stays enabled. */
export async function enableLine(
  db: Db,
  line: { readonly accountId: string; readonly scac: string; readonly enabledAt: string },
): Promise<void> {
  await db.query({
    name: 'account_shipping_line_enable',
    text: `insert into account_shipping_lines (account_id, scac, enabled_at) values ($1, $2, $3) on conflict do nothing`,
    values: [line.accountId, line.scac, line.enabledAt],
  })
}

export async function disableLine(db: Db, line: { readonly accountId: string; readonly scac: string }): Promise<void> {
  await db.query({
    name: 'account_shipping_line_disable',
    text: `delete from account_shipping_lines where account_id = $1 and scac = $2`,
    values: [line.accountId, line.scac],
  })
}
