/** Decisions that become due although no source stated anything: those of tracking requests, and those of shipments. */

import type { Db } from '../../db/database.ts'

export interface DueTimer {
  readonly accountId: string
  readonly id: string
  readonly isSandbox: boolean
}

interface TimerQuery {
  readonly now: string
  /** The sandbox's clock. */
  readonly sandboxNow: string
  readonly limit: number
}

const columns = `t.account_id as "accountId", t.id, a.is_fiction as "isSandbox"`

// The first bound is for the index. With the second one alone, every timer is read (measured: 101 ms instead of 0.02 on
// 100,000 timers, none due).
function dueTimersSql(table: string, unless: string): string {
  return `from ${table} t join accounts a on a.id = t.account_id
            where t.timer_at <= greatest($1::timestamptz, $2::timestamptz)
              and t.timer_at <= case when a.is_fiction then $2::timestamptz else $1::timestamptz end${unless}
            order by t.timer_at
            limit $3`
}

// What a line has stated already, polled or pushed, is ingested before a timer decides. A task that was tried five
// times does not delay the timer any more.
const unlessIngesting = `
              and not exists (select from tasks k
                               where k.account_id = t.account_id and k.tracking_request_id = t.id and k.attempts < 5)
              and not exists (select from joins j where j.account_id = t.account_id and j.id = t.id)`

export async function dueRequestTimers(db: Db, at: TimerQuery): Promise<readonly DueTimer[]> {
  const { rows } = await db.query<DueTimer>({
    name: 'tracking_request_timers',
    text: `select ${columns} ${dueTimersSql('tracking_requests', unlessIngesting)}`,
    values: [at.now, at.sandboxNow, at.limit],
  })
  return rows
}

export async function dueShipmentTimers(db: Db, at: TimerQuery): Promise<readonly DueTimer[]> {
  const { rows } = await db.query<DueTimer>({
    name: 'shipment_timers',
    text: `select ${columns} ${dueTimersSql('shipments', '')}`,
    values: [at.now, at.sandboxNow, at.limit],
  })
  return rows
}
