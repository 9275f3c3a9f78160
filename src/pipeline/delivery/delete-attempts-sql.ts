/**
 * Data of deliveries that is not stored for ever: attempts, the bytes that were sent, and secrets that have expired.
 */

import type { Db } from '../../db/database.ts'
import { acquirePerAccount, type RowOfAccount } from '../../db/distributed/acquire-per-account.ts'

interface RetentionLimit {
  readonly before: string
  readonly limit: number
}

/** All attempts that are too old, of the notifications with the oldest attempts: it may be more than `limit`. */
export async function deleteAttempts(db: Db, aged: RetentionLimit): Promise<number> {
  const found = await db.query<RowOfAccount>({
    name: 'attempts_aged',
    text: `select account_id as "accountId", notification_id as id from webhook_notification_logs
            where created_at < $1 order by created_at limit $2`,
    values: [aged.before, aged.limit],
  })
  const deleted = await acquirePerAccount(found.rows, async (accountId, ids) => {
    const { rows } = await db.query({
      name: 'attempts_delete',
      text: `with old as (
               select notification_id, id from webhook_notification_logs
                where account_id = $1 and notification_id = any($2::uuid[]) and created_at < $3
                order by notification_id, id for update skip locked
             )
             delete from webhook_notification_logs g using old
              where g.account_id = $1 and g.notification_id = old.notification_id and g.id = old.id and g.created_at < $3
             returning g.id`,
      values: [accountId, ids, aged.before],
    })
    return rows
  })
  return deleted.length
}

/** The bytes that processes from before `webhook_payloads` have stored. The notification stays. */
export async function dropNotificationBodies(db: Db, aged: RetentionLimit): Promise<number> {
  const found = await db.query<RowOfAccount>({
    name: 'notification_bodies_aged',
    text: `select account_id as "accountId", id from webhook_notifications
            where created_at < $1 and body is not null and delivery_status <> 'pending'
            order by created_at limit $2`,
    values: [aged.before, aged.limit],
  })
  const dropped = await acquirePerAccount(found.rows, async (accountId, ids) => {
    const { rows } = await db.query({
      name: 'notification_bodies_drop',
      text: `update webhook_notifications n set body = null
               from (select id, created_at from webhook_notifications
                      where account_id = $1 and id = any($2::uuid[]) and created_at < $3 and delivery_status <> 'pending'
                      order by id for no key update skip locked) o
              where n.account_id = $1 and n.id = o.id and n.created_at = o.created_at and n.created_at < $3
             returning n.id`,
      values: [accountId, ids, aged.before],
    })
    return rows
  })
  return dropped.length
}

export async function deleteEndedSecrets(db: Db, before: string): Promise<number> {
  const { rowCount } = await db.query({
    name: 'webhook_secrets_delete',
    text: `delete from webhook_secrets where expires_at < $1`,
    values: [before],
  })
  return rowCount ?? 0
}
