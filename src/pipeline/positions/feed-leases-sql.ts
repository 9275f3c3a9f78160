/** Which process listens to a feed: one at a time, under a lease that it renews. */

import type { Db } from '../../db/database.ts'

/**
 * Acquires the lease where it is free, has run out or is ours already. Returns false where another process has it. Real
 * clock.
 */
export async function leaseFeed(
  db: Db,
  lease: { readonly name: string; readonly token: string; readonly now: string; readonly until: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'feed_lease_hold',
    text: `insert into feed_leases as f (name, lease_token, leased_until) values ($1, $2, $4)
           on conflict (name) do update set lease_token = excluded.lease_token, leased_until = excluded.leased_until
            where f.lease_token is null or f.lease_token = $2 or f.leased_until < $3`,
    values: [lease.name, lease.token, lease.now, lease.until],
  })
  return rowCount === 1
}

export async function releaseFeed(db: Db, lease: { readonly name: string; readonly token: string }): Promise<void> {
  await db.query({
    name: 'feed_lease_end',
    text: `update feed_leases set lease_token = null, leased_until = null where name = $1 and lease_token = $2`,
    values: [lease.name, lease.token],
  })
}
