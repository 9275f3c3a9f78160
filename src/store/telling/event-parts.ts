/** What is to be known of the events of a part before it is dropped, and what was dropped (migration 0124). */

import type { Db } from '../database.ts'

/** Whether an event of the part has no number yet, or is still to be delivered. */
export async function isPartAwaited(db: Db, part: string): Promise<boolean> {
  const { rows } = await db.query<{ isAwaited: boolean }>({
    name: 'event_part_awaited',
    text: `with part as materialized (
             select starts, (select min(n.starts) from event_parts n where n.starts > p.starts) as ends
               from event_parts p where name = $1)
           select exists (select from events e, part p
                           where e.sequence is null and e.ordinal >= p.starts and e.ordinal < p.ends)
               or exists (select from webhook_notifications n, part p
                           where n.delivery_status = 'pending'
                             and n.created_at >= (select oldest_at from delivery_floor)
                             and exists (select from events e
                                          where e.account_id = n.account_id and e.id = n.event_id
                                            and e.ordinal >= p.starts and e.ordinal < p.ends)) as "isAwaited"`,
    values: [part],
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
