/** Which accounts have alert rules, how far they have been checked, and which process does it now. */

import type { Db } from '../../db/database.ts'

export interface AlertWatch {
  readonly accountId: string
  readonly isSandbox: boolean
  readonly companyName: string
  /** Events up to this number have been checked. */
  readonly sequence: number
  readonly dueAt: string
}

/** A new watch begins at the newest event. One that is there is due now. */
export async function putAlertWatch(db: Db, of: { readonly accountId: string; readonly now: string }): Promise<void> {
  await db.query({
    name: 'alert_watch_put',
    text: `insert into alert_watches (account_id, sequence, due_at, worked_at)
           select $1, coalesce(max(n.last_sequence), 0), $2, $2 from event_counters n where n.account_id = $1
           on conflict (account_id) do update set due_at = excluded.due_at`,
    values: [of.accountId, of.now],
  })
}

/** Without rules an account needs no watch. */
export async function dropAlertWatch(db: Db, accountId: string): Promise<void> {
  await db.query({
    name: 'alert_watch_drop',
    text: `delete from alert_watches where account_id = $1
              and not exists (select 1 from alert_rules where account_id = $1 and is_active)`,
    values: [accountId],
  })
}

/** The account with something to do that was worked on longest ago. Null when there is none. */
export async function leaseAlertWatch(
  db: Db,
  lease: { readonly token: string; readonly now: string; readonly until: string },
): Promise<AlertWatch | null> {
  const { rows } = await db.query<AlertWatch>({
    name: 'alert_watch_lease',
    text: `with behind as materialized (
             select w.account_id from alert_watches w join event_counters n on n.account_id = w.account_id
              where n.last_sequence > w.sequence
           ), next as (
             select w.account_id from alert_watches w
              where (w.leased_until is null or w.leased_until <= $2)
                and (w.due_at <= $2 or w.account_id = any(array(select account_id from behind)))
              order by w.worked_at limit 1
              for update skip locked
           )
           update alert_watches w set lease_token = $1, leased_until = $3
             from next join accounts a on a.id = next.account_id
            where w.account_id = next.account_id
           returning w.account_id as "accountId", a.is_fiction as "isSandbox", a.company_name as "companyName",
                     w.sequence, w.due_at as "dueAt"`,
    values: [lease.token, lease.now, lease.until],
  })
  return rows[0] ?? null
}

/** Nothing happens when the lease was lost. */
export async function releaseAlertWatch(
  db: Db,
  of: {
    readonly accountId: string
    readonly token: string
    readonly sequence: number
    /** When it was due as it was leased. A rule that came meanwhile has made it due earlier. */
    readonly leasedDueAt: string
    readonly dueAt: string
    readonly now: string
  },
): Promise<void> {
  await db.query({
    name: 'alert_watch_release',
    text: `update alert_watches
              set sequence = $3, worked_at = $6, lease_token = null, leased_until = null,
                  due_at = case when due_at = $4 then $5 else least(due_at, $5) end
            where account_id = $1 and lease_token = $2`,
    values: [of.accountId, of.token, of.sequence, of.leasedDueAt, of.dueAt, of.now],
  })
}
