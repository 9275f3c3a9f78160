/** Waits until the installation has done all work that is due. */

import type { Pool } from '../../src/db/database.ts'
import { eventually } from '../../test/support/eventually.ts'

const restWithinMs = 240_000
const dayMs = 86_400_000

/** Waits until nothing is due or under way. With a sandbox, also until it has caught up. */
export async function comeToRest(pool: Pool, by: { readonly sandboxUrl: string | null }): Promise<void> {
  if (by.sandboxUrl !== null) await untilSandboxIs(by.sandboxUrl, 1)
  let waits = ''
  await eventually(
    async () => {
      // Without a sandbox URL, the work of fiction is not counted: its looks never end while the sandbox runs fast.
      const { rows } = await pool.query<Record<string, number>>({
        text: `select (select count(*) from subjects s join credentials c on c.id = s.credential_id
                        where (s.next_look_at <= now() or s.lease_token is not null) and (c.is_fiction = $1 or not c.is_fiction))::int as looks,
                      (select count(*) from tasks t join accounts a on a.id = t.account_id
                        where t.not_before <= now() and (a.is_fiction = $1 or not a.is_fiction))::int as tasks,
                      (select count(*) from events e join accounts a on a.id = e.account_id
                        where sequence is null and (a.is_fiction = $1 or not a.is_fiction))::int as "events without a number",
                      (select count(*) from webhook_notifications
                        where $1 and delivery_status = 'pending' and (next_attempt_at <= now() or lease_token is not null))::int as deliveries`,
        values: [by.sandboxUrl !== null],
      })
      waits = JSON.stringify(rows[0])
      return Object.values(rows[0] ?? {}).every((count) => count === 0) ? true : null
    },
    { withinMs: restWithinMs, everyMs: 150, late: () => `It does not come to rest: ${waits}` },
  )
}

/** `part`: the share of the time from the sandbox's beginning to now; 1 is now. */
export async function untilSandboxIs(sandboxUrl: string, part: number): Promise<void> {
  let told = ''
  await eventually(
    async () => {
      const response = await fetch(`${sandboxUrl}/sandbox/clock`)
      const { now, epoch } = (await response.json()) as { readonly now: string; readonly epoch: string }
      told = now
      const lived = Date.parse(now) - Date.parse(epoch)
      const isThere = part === 1 ? Date.now() - Date.parse(now) < 5_000 : lived >= part * 90 * dayMs
      return isThere ? true : null
    },
    { withinMs: restWithinMs, everyMs: 250, late: () => `The sandbox is still at ${told}.` },
  )
}
