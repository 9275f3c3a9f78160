/** Records attempts, many in one statement: the log and the end of each. */

import type { Db } from '../../db/database.ts'
import { queueFloor } from './delivery-floor-sql.ts'
import {
  cardinalityLimitSql,
  type DeliveryStatus,
  findCreationRange,
  inLockOrder,
  type Lane,
} from './webhook-notifications-sql.ts'

/** A notification, when it was made, and the lease under which it was acquired. */
interface NotificationLease extends Pick<Lane, 'webhookId' | 'laneId'> {
  readonly id: string
  readonly madeAt: string
  readonly token: string
}

/** One attempt and what came back: evidence for the receiver, and for us. */
export interface AttemptLog {
  readonly id: string
  readonly attempt: number
  readonly statusCode: number | null
  readonly error: string | null
  /** The address that was connected to. */
  readonly address: string | null
  readonly durationMs: number
  /** The first 1 KB of the body, as text. */
  readonly responseBody: string | null
  readonly createdAt: string
  readonly nextAttemptAt: string | null
}

/**
 * Logs attempts of an account and ends them; an attempt that is logged already is not logged again. Returns for each whether
 * the lease was still valid; otherwise another worker's attempt decides. Nothing is written for a webhook that was deleted meanwhile: notifications are locked before, in the
 * order of `lockWaitingLanes`.
 */
export async function finishAttempts(
  db: Db,
  accountId: string,
  attempts: readonly (NotificationLease & { readonly status: DeliveryStatus; readonly log: AttemptLog })[],
): Promise<readonly boolean[]> {
  const ended = inLockOrder(attempts)
  const { rows } = await db.query<{ logId: string }>({
    name: 'notifications_finish',
    // The log comes first, and locks: another transaction that locks a row which this statement has updated finds it
    // gone.
    text: `with logged as (
             insert into webhook_notification_logs
               (account_id, notification_id, id, attempt, status_code, error, address, duration_ms, response_body,
                created_at, next_attempt_at)
             select n.account_id, e.id, e.log_id, e.attempt, e.status_code, e.error, e.address, e.duration_ms,
                    e.response_body, e.created_at, e.next_attempt_at
               from (select * from unnest($2::uuid[], $14::timestamptz[], $5::uuid[], $6::integer[], $7::integer[],
                                          $8::text[], $9::text[], $10::integer[], $11::text[], $12::timestamptz[],
                                          $13::timestamptz[])
                              as e (id, made_at, log_id, attempt, status_code, error, address, duration_ms,
                                    response_body, created_at, next_attempt_at) ${cardinalityLimitSql('$2::uuid[]')}) e
              cross join lateral (
                select n.account_id from webhook_notifications n
                 where n.account_id = $1 and n.id = e.id and n.created_at = e.made_at and n.created_at >= $15
                 limit 1
                   for no key update) n
                 on conflict do nothing
             returning id
           ), finished as (
             update webhook_notifications n
                set delivery_status = e.status, attempts = e.attempt, next_attempt_at = e.next_attempt_at,
                    lease_token = null, leased_until = null
               from (select * from unnest($2::uuid[], $14::timestamptz[], $5::uuid[], $3::uuid[], $4::text[],
                                          $6::integer[], $13::timestamptz[])
                              as e (id, made_at, log_id, token, status, attempt, next_attempt_at)
                      ${cardinalityLimitSql('$2::uuid[]')}) e
              where n.account_id = $1 and n.id = e.id and n.created_at = e.made_at and n.created_at >= $15
                and n.lease_token = e.token and (select count(*) from logged) > 0
             returning e.log_id
           )
           select log_id as "logId" from finished`,
    values: [
      accountId,
      ended.map(({ id }) => id),
      ended.map(({ token }) => token),
      ended.map(({ status }) => status),
      ended.map(({ log }) => log.id),
      ended.map(({ log }) => log.attempt),
      ended.map(({ log }) => log.statusCode),
      ended.map(({ log }) => log.error),
      ended.map(({ log }) => log.address),
      ended.map(({ log }) => log.durationMs),
      ended.map(({ log }) => log.responseBody),
      ended.map(({ log }) => log.createdAt),
      ended.map(({ log }) => log.nextAttemptAt),
      ended.map(({ madeAt }) => madeAt),
      findCreationRange(ended)[0],
    ],
  })
  const finished = new Set(rows.map(({ logId }) => logId))
  return attempts.map(({ log }) => finished.has(log.id))
}

/**
 * Makes the next notification of each of the account's lanes due, and returns the webhooks of those that had one. Runs
 * in the transaction that ended the attempts before it, but as a statement of its own, like the search for the lanes:
 * only in this way does it see what was added while the statement before it waited.
 */
export async function releaseNextInLanes(
  db: Db,
  accountId: string,
  of: { readonly lanes: readonly Lane[]; readonly now: string },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ webhookId: string }>({
    name: 'notifications_release',
    text: `update webhook_notifications n set next_attempt_at = $4
             from (
               select next.id, next.created_at
                 from (select * from unnest($2::uuid[], $3::uuid[]) as l (webhook_id, lane_id)
                        ${cardinalityLimitSql('$2::uuid[]')}) lane
                cross join lateral (
                  select w.id, w.created_at from webhook_notifications w
                   where w.account_id = $1 and w.webhook_id = lane.webhook_id and w.lane_id = lane.lane_id
                     and w.delivery_status = 'pending' and w.attempts = 0 and w.created_at >= ${queueFloor}
                   order by w.sequence limit 1) next) waiting
            where n.account_id = $1 and n.id = waiting.id and n.created_at = waiting.created_at
              and n.created_at >= ${queueFloor} and n.next_attempt_at is null
           returning n.webhook_id as "webhookId"`,
    values: [accountId, of.lanes.map(({ webhookId }) => webhookId), of.lanes.map(({ laneId }) => laneId), of.now],
  })
  return rows.map(({ webhookId }) => webhookId)
}
