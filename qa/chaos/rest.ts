/** Makes looks happen often while the carrier reports, and waits until nothing is queued or under way any more. */

import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from '../../src/db/database.ts'
import { eventually } from '../../test/support/eventually.ts'
import { type Account, redeliverLeftovers } from './customers.ts'

/** A wait for less work than before ends after this time. A divided database on a small machine takes longer in all. */
const stuckAfterMs = 100_000
const tellEveryMs = 10_000

/** Looks are normally hours apart. Here each number is looked at every `everyMs`, until the signal aborts. */
export async function hurryLooks(
  pool: Pool,
  by: { readonly everyMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const gapMs = 500
  while (!by.signal.aborted) {
    // Fails while the database is stopped, which does no harm.
    await pool
      .query(
        `update subjects set next_look_at = now()
          where next_look_at > now() and lease_token is null
            and last_attempted_at < now() - $1 * interval '1 millisecond'`,
        [by.everyMs],
      )
      .catch(() => {})
    await pause(gapMs, undefined, { signal: by.signal }).catch(() => {})
  }
}

/** `lookedAfter`: an ISO instant. Every number that is still tracked must have been looked at since. */
export async function comeToRest(
  pool: Pool,
  by: {
    readonly accounts: readonly Account[]
    readonly lookedAfter: string
    readonly redelivered: Map<string, number>
    readonly say: (sentence: string) => void
    readonly logEnd: () => string
  },
): Promise<void> {
  let toldMs = Date.now()
  let least = { count: Number.POSITIVE_INFINITY, sinceMs: Date.now() }
  await eventually(
    async () => {
      await pool.query(
        `update subjects set next_look_at = now()
          where next_look_at > now() and lease_token is null and (last_succeeded_at is null or last_succeeded_at < $1)`,
        [by.lookedAfter],
      )
      await redeliverLeftovers(pool, by.accounts, by.redelivered)
      const { rows } = await pool.query<Record<string, number>>(
        `select (select count(*) from subjects where next_look_at is not null
                    and (lease_token is not null or last_succeeded_at is null or last_succeeded_at < $1))::int as looks,
                (select count(*) from tasks)::int as tasks,
                (select count(*) from events where sequence is null)::int as "events without a number",
                (select count(*) from webhook_notifications where delivery_status = 'pending')::int as deliveries`,
        [by.lookedAfter],
      )
      const waiting = Object.entries(rows[0] ?? {}).filter(([, count]) => count > 0)
      const waitsFor = waiting.map(([what, count]) => `${count} ${what}`).join(', ')
      if (waitsFor === '') return true
      const count = waiting.reduce((sum, [, each]) => sum + each, 0)
      if (count < least.count) least = { count, sinceMs: Date.now() }
      if (Date.now() - least.sinceMs > stuckAfterMs)
        throw new Error(`It does not come to rest; waiting for ${waitsFor}. The logs end:\n${by.logEnd()}`)
      if (Date.now() - toldMs > tellEveryMs) {
        toldMs = Date.now()
        by.say(`waiting for ${waitsFor}`)
      }
      return null
    },
    { withinMs: Number.POSITIVE_INFINITY, everyMs: 500 },
  )
}
