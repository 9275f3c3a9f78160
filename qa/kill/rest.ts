/** Waits until the program has nothing to do: the sandbox has caught up, and nothing is queued or under way. */

import type { Pool } from '../../src/db/database.ts'
import { eventually } from '../../test/support/eventually.ts'

/** Long enough for the leases of interrupted looks to expire. */
const atRestWithinMs = 200_000
const tellEveryMs = 15_000
const askEveryMs = 300

export async function comeToRest(
  pool: Pool,
  by: {
    readonly sandboxUrl: string
    readonly say: (sentence: string) => void
    readonly logEnd: () => string
  },
): Promise<void> {
  let waitsFor = ''
  let toldMs = Date.now()
  await eventually(
    async () => {
      const { rows } = await pool.query<Record<string, number>>(`
        select (select count(*) from subjects where next_look_at <= now() or lease_token is not null)::int as looks,
               (select count(*) from tasks)::int as tasks,
               (select count(*) from events where sequence is null)::int as "events without a number",
               (select count(*) from webhook_notifications where delivery_status = 'pending')::int as deliveries`)
      const behindMs = Date.now() - Date.parse((await askClock(by.sandboxUrl)).now)
      const isBehind = behindMs > 5_000
      waitsFor = [
        ...writeCounts(rows[0] ?? {}),
        ...(isBehind ? [`${Math.round(behindMs / 86_400_000)} days of the sandbox`] : []),
      ].join(', ')
      if (waitsFor === '') return true
      if (Date.now() - toldMs > tellEveryMs) {
        toldMs = Date.now()
        by.say(`waiting for ${waitsFor}`)
      }
      return null
    },
    {
      withinMs: atRestWithinMs,
      everyMs: askEveryMs,
      late: () => `It does not come to rest; waiting for ${waitsFor}. Its log ends:\n${by.logEnd()}`,
    },
  )
}

/** So often a stop may be followed by a start: each time it is less likely that a look ends in that very moment. */
const startsMax = 5

/**
 * Stops the program for good. Jobs that run when it is told to stop come to their end, and nothing is taken up after
 * them: an event that such a job commits has no number before the next start, and its receivers have heard nothing. That
 * is no loss, so the program is started again as long as a stop has left something behind. What no start takes up stays,
 * and the checks find it.
 */
export async function stopAtRest(
  pool: Pool,
  by: {
    readonly stop: () => Promise<unknown>
    readonly startAgain: () => Promise<unknown>
    readonly sandboxUrl: string
    readonly say: (sentence: string) => void
    readonly logEnd: () => string
  },
): Promise<void> {
  await by.stop()
  for (let starts = 0; starts < startsMax; starts += 1) {
    const left = await countUnfinished(pool)
    if (left.length === 0) return
    by.say(`The stop left ${left.join(', ')} to the next start.`)
    await by.startAgain()
    await comeToRest(pool, by)
    await by.stop()
  }
}

/** What is committed and has to be gone on with. Looks are due again and again. */
async function countUnfinished(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<Record<string, number>>(`
    select (select count(*) from tasks)::int as tasks,
           (select count(*) from events where sequence is null)::int as "events without a number",
           (select count(*) from webhook_notifications where delivery_status = 'pending')::int as deliveries`)
  return writeCounts(rows[0] ?? {})
}

function writeCounts(counts: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []))
}

export async function askClock(sandboxUrl: string): Promise<{ readonly now: string; readonly seed: number }> {
  const response = await fetch(`${sandboxUrl}/sandbox/clock`)
  return (await response.json()) as { readonly now: string; readonly seed: number }
}
