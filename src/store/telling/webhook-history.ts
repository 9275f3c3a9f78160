/** What is not kept for ever of deliveries: attempts, the bytes that were sent, and secrets that have expired. */

import type { Db } from '../database.ts'

interface Aged {
  readonly before: string
  readonly limit: number
}

export async function deleteAttempts(db: Db, aged: Aged): Promise<number> {
  const { rowCount } = await db.query({
    name: 'attempts_delete',
    text: `delete from webhook_notification_logs
            where (account_id, notification_id, id) in (
              select account_id, notification_id, id from webhook_notification_logs
               where created_at < $1 order by created_at limit $2 for update skip locked)`,
    values: [aged.before, aged.limit],
  })
  return rowCount ?? 0
}

/** The notification stays and says how it ended. When it is sent once more, its document is written again. */
export async function dropBodies(db: Db, aged: Aged): Promise<number> {
  const { rowCount } = await db.query({
    name: 'notification_bodies_drop',
    text: `update webhook_notifications set body = null
            where (account_id, id) in (
              select account_id, id from webhook_notifications
               where created_at < $1 and body is not null and delivery_status <> 'pending'
               order by created_at limit $2 for no key update skip locked)`,
    values: [aged.before, aged.limit],
  })
  return rowCount ?? 0
}

export async function deleteEndedSecrets(db: Db, before: string): Promise<number> {
  const { rowCount } = await db.query({
    name: 'webhook_secrets_delete',
    text: `delete from webhook_secrets where expires_at < $1`,
    values: [before],
  })
  return rowCount ?? 0
}
