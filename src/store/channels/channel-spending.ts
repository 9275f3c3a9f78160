/** How many requests a channel has spent and how they went, in its row of the queue of channels. */

import { nothingSpent, type Spending } from '../../core/looking/request-budget.ts'
import type { Db } from '../database.ts'

/**
 * What the channel has spent. Its row stays locked until the transaction ends. Null for a channel that was never asked.
 */
export async function holdSpending(db: Db, channelId: string): Promise<Spending | null> {
  const { rows } = await db.query<{ spending: Spending }>({
    name: 'channel_spending_hold',
    text: `select spending from channel_queue where channel_id = $1 for no key update`,
    values: [channelId],
  })
  return rows[0] === undefined ? null : { ...nothingSpent, ...rows[0].spending }
}

export async function putSpending(db: Db, channelId: string, spending: Spending): Promise<void> {
  await db.query({
    name: 'channel_spending_put',
    text: `update channel_queue set spending = $2 where channel_id = $1`,
    values: [channelId, JSON.stringify(spending)],
  })
}

/** Notes how many requests the channel's last question took. */
export async function noteRequests(db: Db, channelId: string, requests: number): Promise<void> {
  await db.query({
    name: 'channel_requests_note',
    text: `update channel_queue set requests = greatest(1, $2) where channel_id = $1 and requests <> greatest(1, $2)`,
    values: [channelId, requests],
  })
}

/**
 * Counts a failure that did not depend on what was asked, or resets the count when the channel answered. Returns how
 * many times in a row it has failed.
 */
export async function noteFailure(db: Db, channelId: string, hasFailed: boolean): Promise<number> {
  const { rows } = await db.query<{ failures: number }>({
    name: 'channel_failure_note',
    text: `update channel_queue set failures = case when $2 then failures + 1 else 0 end
            where channel_id = $1 and ($2 or failures > 0) returning failures`,
    values: [channelId, hasFailed],
  })
  return rows[0]?.failures ?? 0
}

/**
 * Notes when the channel last answered, and when it last had something to tell. Exact to a minute, so that not every
 * look writes the row of the channel.
 */
export async function noteAnswered(
  db: Db,
  channelId: string,
  { at, isHeard }: { readonly at: string; readonly isHeard: boolean },
): Promise<void> {
  await db.query({
    name: 'channel_answered_note',
    text: `update channels set answered_at = $2, heard_at = case when $3 then $2 else heard_at end
            where id = $1
              and least(coalesce(answered_at, '-infinity'), case when $3 then coalesce(heard_at, '-infinity') end)
                  <= $2::timestamptz - interval '1 minute'`,
    values: [channelId, at, isHeard],
  })
}
