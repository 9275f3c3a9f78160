/** Waits until the program has nothing to do: the sandbox has caught up, and nothing is queued or under way. */

import type { Pool } from '../../src/store/database.ts'
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
      const waiting = Object.entries(rows[0] ?? {}).filter(([, count]) => count > 0)
      const behindMs = Date.now() - Date.parse((await askClock(by.sandboxUrl)).now)
      const isBehind = behindMs > 5_000
      waitsFor = [
        ...waiting.map(([what, count]) => `${count} ${what}`),
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

export async function askClock(sandboxUrl: string): Promise<{ readonly now: string; readonly seed: number }> {
  const response = await fetch(`${sandboxUrl}/sandbox/clock`)
  return (await response.json()) as { readonly now: string; readonly seed: number }
}
