/** What is to be known of the events of a part before it is dropped, and what was dropped (migration 0124). */

import type { Db } from '../database.ts'

/** Whether an event of the part has no number yet, or is still to be delivered. */
export async function isPartAwaited(db: Db, part: string): Promise<boolean> {
  const bounds = await db.query<{ starts: number; ends: number }>({
    name: 'event_part_bounds',
    text: `select starts, (select min(n.starts) from event_parts n where n.starts > p.starts) as ends
             from event_parts p where name = $1`,
    values: [part],
  })
  const [bound] = bounds.rows
  if (bound === undefined) return false
  const { rows } = await db.query<{ isAwaited: boolean }>({
    name: 'event_part_awaited',
    text: `select exists (select from events where sequence is null and ordinal >= $1 and ordinal < $2)
               or exists (select from webhook_notifications n
                           where n.delivery_status = 'pending'
                             and n.created_at >= (select oldest_at from delivery_floor)
                             and exists (select from events e
                                          where e.account_id = n.account_id and e.id = n.event_id
                                            and e.ordinal >= $1 and e.ordinal < $2)) as "isAwaited"`,
    values: [bound.starts, bound.ends],
  })
  return rows[0]?.isAwaited === true
}

/** When the last event of the account was made that is no longer kept; null when all are kept. */
export async function readEventsGoneAt(db: Db, accountId: string): Promise<string | null> {
  const { rows } = await db.query<{ goneAt: string }>({
    name: 'events_gone_read',
    text: `select last_at as "goneAt" from events_gone where account_id = $1`,
    values: [accountId],
  })
  return rows[0]?.goneAt ?? null
}
