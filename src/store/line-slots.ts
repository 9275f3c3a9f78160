/** When each line may be asked: its rate limit, and whether it wants to be left alone. */

import type { Db } from './database.ts'

/**
 * Takes the line's slot under its rate limit (GCRA) if one is free now. One statement, so that it holds across
 * processes. `next_slot_at` is when the next request may go out; an idle line saves up `burst` of them.
 */
export async function takeSlot(
  db: Db,
  slot: {
    readonly credentialId: string
    readonly now: string
    readonly intervalMs: number
    readonly burst: number
  },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'credential_slot',
    text: `update channels
              set next_slot_at = greatest(next_slot_at, $2::timestamptz - $4::float8 * interval '1 millisecond')
                                 + $3::float8 * interval '1 millisecond'
            where id = $1 and next_slot_at <= $2`,
    values: [slot.credentialId, slot.now, slot.intervalMs, slot.intervalMs * (slot.burst - 1)],
  })
  return rowCount === 1
}

/** Leaves the line alone until then: it said so (Retry-After). Of looks at one moment only the first counts as asking again. */
export async function leaveLineAlone(
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

/** The line answers again. */
export async function askLineAgain(db: Db, credentialId: string): Promise<void> {
  await db.query({
    name: 'credential_ask_again',
    text: `update channels set left_alone_until = null, refusals = 0 where id = $1 and refusals > 0`,
    values: [credentialId],
  })
}

/** When the first line opens again that has due subjects waiting for its rate limit; null when none has. */
export async function nextSlotAt(db: Db, now: string): Promise<string | null> {
  const { rows } = await db.query<{ at: string | null }>({
    name: 'credential_next_slot',
    text: `select min(c.next_slot_at) as at
             from channels c
            where c.next_slot_at > $1
              and exists (select 1 from subjects s where s.credential_id = c.id and s.next_look_at <= $1)`,
    values: [now],
  })
  return rows[0]?.at ?? null
}
