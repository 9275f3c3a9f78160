/** Gives back at once what killed workers had leased, instead of when the leases run out. */

import type { Db } from '../database.ts'

/** Only for a caller who knows that no other worker uses this database. Returns how many it gave back. */
export async function releaseAllLeases(db: Db, now: string): Promise<number> {
  const { rows } = await db.query<{ released: number }>({
    name: 'leases_release',
    text: `with looks as (
             update subjects set lease_token = null, leased_until = null where lease_token is not null returning 1
           ), absorbs as (
             update tasks set lease_token = null, leased_until = null where lease_token is not null returning 1
           ), deliveries as (
             update webhook_notifications set lease_token = null, leased_until = null, next_attempt_at = $1
              where lease_token is not null and delivery_status = 'pending' returning 1
           ), feeds as (
             update feed_leases set lease_token = null, leased_until = null where lease_token is not null returning 1
           ), keys as (
             update idempotency_keys set lease_token = null, leased_until = $1
              where status is null and lease_token is not null returning 1
           ), letters as (
             update mails set lease_token = null, leased_until = null where lease_token is not null returning 1
           ), asked as (
             update asked_numbers set lease_token = null, leased_until = null where lease_token is not null returning 1
           ), papers as (
             update document_tasks set lease_token = null, leased_until = null where lease_token is not null returning 1
           ), emails as (
             update email_submissions set lease_token = null, due_at = $1
              where lease_token is not null and due_at is not null returning 1
           )
           select (select count(*) from keys) + (select count(*) from letters) + (select count(*) from looks) + (select count(*) from absorbs) + (select count(*) from deliveries)
                  + (select count(*) from feeds) + (select count(*) from asked) + (select count(*) from emails) + (select count(*) from papers)
                  as released`,
    values: [now],
  })
  return rows[0]?.released ?? 0
}
