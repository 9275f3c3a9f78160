/**
 * What the token of a lease contains about its holder, and how leases of dead holders are released at once instead of
 * when they run out.
 */

import { randomUUID } from 'node:crypto'
import type { Db } from './database.ts'

/**
 * A new token: a UUID whose first 32 bits are the number of the holder in `workers`, followed by a mark, so that a
 * token of an older version is not read as one. 0 is nobody: such a lease only runs out.
 */
export function newLeaseToken(holder: number): string {
  return `${holder.toString(16).padStart(8, '0')}-4c46-8${randomUUID().slice(15)}`
}

/** SQL: whether the lease is one of these holders', or anybody's where `holders` is null. */
function isHeldBy(holders: string): string {
  return `lease_token is not null
                and (${holders}::text[] is null or left(lease_token::text, 15) = any(${holders}::text[]))`
}

/**
 * `holders`: whose leases. `all` is only for a caller who knows that no other worker uses this database. Returns how
 * many leases were released.
 *
 * Notifications are found along the index of their webhook's queue, where the end of a lease is no further ahead than
 * its longest duration. The other queues are read completely, which happens only when a process has died. Leases of
 * idempotency keys (POST) run out by themselves: they last ten seconds, and the table is large.
 */
export async function releaseLeases(
  db: Db,
  of: { readonly holders: readonly number[] | 'all'; readonly now: string },
): Promise<number> {
  const marks = of.holders === 'all' ? null : of.holders.map((holder) => newLeaseToken(holder).slice(0, 15))
  const { rows } = await db.query<{ released: number }>({
    name: 'leases_release',
    text: `with looks as (
             update subjects set lease_token = null, leased_until = null where ${isHeldBy('$2')} returning 1
           ), absorbs as (
             update tasks set lease_token = null, leased_until = null where ${isHeldBy('$2')} returning 1
           ), held as (
             select n.account_id, n.id from webhooks w cross join lateral (
               select account_id, id from webhook_notifications
                where account_id = w.account_id and webhook_id = w.id and delivery_status = 'pending'
                  and next_attempt_at >= $1::timestamptz
                  and next_attempt_at <= $1::timestamptz + interval '10 minutes' and ${isHeldBy('$2')}) n
           ), deliveries as (
             update webhook_notifications n set lease_token = null, leased_until = null, next_attempt_at = $1
               from held
              where n.account_id = held.account_id and n.id = held.id and n.delivery_status = 'pending' and ${isHeldBy('$2')}
              returning 1
           ), feeds as (
             update feed_leases set lease_token = null, leased_until = null where ${isHeldBy('$2')} returning 1
           ), keys as (
             update idempotency_keys set lease_token = null, leased_until = $1
              where $2::text[] is null and status is null and lease_token is not null returning 1
           ), letters as (
             update mails set lease_token = null, leased_until = null where ${isHeldBy('$2')} returning 1
           ), asked as (
             update asked_numbers set lease_token = null, leased_until = null where ${isHeldBy('$2')} returning 1
           ), papers as (
             update document_tasks set lease_token = null, leased_until = null where ${isHeldBy('$2')} returning 1
           ), emails as (
             update email_submissions set lease_token = null, due_at = $1
              where due_at is not null and ${isHeldBy('$2')} returning 1
           ), alerts as (
             update alert_messages set lease_token = null, leased_until = null where ${isHeldBy('$2')} returning 1
           ), watches as (
             update alert_watches set lease_token = null, leased_until = null where ${isHeldBy('$2')} returning 1
           ), walks as (
             update mendings set lease_token = null, leased_until = null where ${isHeldBy('$2')} returning 1
           ), tables as (
             update imports set lease_token = null, leased_until = null
              where next_place is not null and ${isHeldBy('$2')} returning 1
           ), items as (
             update request_batch_items set lease_token = null, leased_until = null
              where status = 'queued' and ${isHeldBy('$2')} returning 1
           ), rereads as (
             update code_rereads set lease_token = null, due_at = $1 where ${isHeldBy('$2')} returning 1
           ), wishes as (
             update wanted_requests set lease_token = null, not_before = $1
              where status = 'waiting' and ${isHeldBy('$2')} returning 1
           )
           select count(*)::integer as released from (
             select 1 from looks union all select 1 from absorbs union all select 1 from deliveries union all select 1 from feeds
             union all select 1 from keys union all select 1 from letters union all select 1 from asked
             union all select 1 from papers union all select 1 from emails union all select 1 from alerts
             union all select 1 from watches union all select 1 from walks union all select 1 from tables
             union all select 1 from items union all select 1 from rereads union all select 1 from wishes) given`,
    values: [of.now, marks],
  })
  return rows[0]?.released ?? 0
}
