/** Channels that requested a cooldown. What their limits allow is in `channel-queue-sql.ts`. */

import type { Db } from '../../db/database.ts'

/**
 * Sends the line no request until then, because it requested that (Retry-After). Of polls at the same time, only the
 * first one counts as a refusal.
 */
export async function startCooldown(
  db: Db,
  line: { readonly credentialId: string; readonly now: string; readonly until: string },
): Promise<void> {
  await db.query({
    name: 'credential_leave_alone',
    text: `update channels
              set next_slot_at = greatest(next_slot_at, $3), left_alone_until = greatest(left_alone_until, $3),
                  refusals = refusals + (coalesce(left_alone_until <= $2, true))::integer
            where id = $1`,
    values: [line.credentialId, line.now, line.until],
  })
}

/** Records that the line answers again. */
export async function endCooldown(db: Db, credentialId: string): Promise<void> {
  await db.query({
    name: 'credential_ask_again',
    text: `update channels set left_alone_until = null, refusals = 0 where id = $1 and refusals > 0`,
    values: [credentialId],
  })
}

/** Ends a pause before its time: the access has got new secrets. */
export async function clearCooldown(db: Db, credentialId: string): Promise<void> {
  await db.query({
    name: 'credential_clear_pause',
    text: `update channels set left_alone_until = null, refusals = 0, next_slot_at = '-infinity' where id = $1`,
    values: [credentialId],
  })
}
