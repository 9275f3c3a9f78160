/** How many requests a channel has spent and how they went, in its row of the queue of channels. */

import type { Db } from '../../db/database.ts'
import { noUsage, type RequestUsage } from '../../domain/polling/request-budget.ts'

/**
 * What the channel has spent. Its row stays locked until the transaction ends. Null for a channel that was never
 * polled.
 */
export async function lockUsage(db: Db, channelId: string): Promise<RequestUsage | null> {
  const { rows } = await db.query<{ spending: RequestUsage }>({
    name: 'channel_spending_hold',
    text: `select spending from channel_queue where channel_id = $1 for no key update`,
    values: [channelId],
  })
  return rows[0] === undefined ? null : { ...noUsage, ...rows[0].spending }
}

export async function putUsage(db: Db, channelId: string, usage: RequestUsage): Promise<void> {
  await db.query({
    name: 'channel_spending_put',
    text: `update channel_queue set spending = $2 where channel_id = $1`,
    values: [channelId, JSON.stringify(usage)],
  })
}

/** Records how many requests the channel's last poll needed. */
export async function noteRequests(db: Db, channelId: string, requests: number): Promise<void> {
  await db.query({
    name: 'channel_requests_note',
    text: `update channel_queue set requests = greatest(1, $2) where channel_id = $1 and requests <> greatest(1, $2)`,
    values: [channelId, requests],
  })
}

/**
 * Counts a failure that did not depend on the poll target, or resets the count when the channel answered. Returns how
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
 * Records when the channel last answered, and when it last had something to state. Exact to a minute, so that not every
 * poll writes the row of the channel.
 */
export async function noteAnswered(
  db: Db,
  channelId: string,
  { at, hasContent }: { readonly at: string; readonly hasContent: boolean },
): Promise<void> {
  await db.query({
    name: 'channel_answered_note',
    text: `update channels set answered_at = $2, heard_at = case when $3 then $2 else heard_at end
            where id = $1
              and least(coalesce(answered_at, '-infinity'), case when $3 then coalesce(heard_at, '-infinity') end)
                  <= $2::timestamptz - interval '1 minute'`,
    values: [channelId, at, hasContent],
  })
}
