/** The requests that are searched for or tracked now, of all accounts: what a mended reader goes through. */

import type { Db } from './database.ts'

export async function liveRequests(
  db: Db,
): Promise<readonly { readonly accountId: string; readonly id: string; readonly isFiction: boolean }[]> {
  const { rows } = await db.query<{ accountId: string; id: string; isFiction: boolean }>({
    name: 'tracking_requests_all_live',
    text: `select r.account_id as "accountId", r.id, a.is_fiction as "isFiction"
             from tracking_requests r join accounts a on a.id = r.account_id
            where r.status in ('pending', 'awaiting_manifest', 'created')
            order by r.account_id, r.created_at, r.id`,
  })
  return rows
}
