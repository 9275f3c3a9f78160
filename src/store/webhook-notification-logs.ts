/** Every attempt to deliver a notification and what came back: the receiver's evidence, and ours. */

import type { Db } from './database.ts'

export interface Attempt {
  readonly accountId: string
  readonly notificationId: string
  readonly id: string
  readonly attempt: number
  readonly statusCode: number | null
  readonly error: string | null
  /** The address that was connected to. */
  readonly address: string | null
  readonly durationMs: number
  /** The first 1 KB, as text. */
  readonly responseBody: string | null
  readonly createdAt: string
  readonly nextAttemptAt: string | null
}

/** Nothing is written when the webhook was deleted meanwhile. */
export async function insertAttempt(db: Db, attempt: Attempt): Promise<void> {
  await db.query({
    name: 'attempt_insert',
    text: `insert into webhook_notification_logs
             (account_id, notification_id, id, attempt, status_code, error, address, duration_ms, response_body,
              created_at, next_attempt_at)
           select account_id, id, $3, $4, $5, $6, $7, $8, $9, $10, $11
             from webhook_notifications where account_id = $1 and id = $2`,
    values: [
      attempt.accountId,
      attempt.notificationId,
      attempt.id,
      attempt.attempt,
      attempt.statusCode,
      attempt.error,
      attempt.address,
      attempt.durationMs,
      attempt.responseBody,
      attempt.createdAt,
      attempt.nextAttemptAt,
    ],
  })
}
