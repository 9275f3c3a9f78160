/** Writes down attempts, many in one statement: the bytes before the first attempt, the log and the end after each. */

import type { Db } from '../database.ts'
import { readDeliveryFloor } from './delivery-floor.ts'
import { type DeliveryStatus, type Lane, spanOf } from './webhook-notifications.ts'

/** A notification, when it was made, and the lease under which it was taken. */
interface Held {
  readonly accountId: string
  readonly id: string
  readonly madeAt: string
  readonly token: string
}

/**
 * Keeps the bytes before they are first sent. Returns for each notification whether it was still under its lease. Rows
 * are locked in the order of `lockWaitingLanes`, so that the two never wait for each other.
 */
export async function keepBodies(
  db: Db,
  bodies: readonly (Held & Lane & { readonly body: Buffer })[],
): Promise<readonly boolean[]> {
  // One value for all bytes: the driver sends it as it is, but would write each element of an array in hex.
  let nextStart = 1
  const { rows } = await db.query<{ id: string; token: string }>({
    name: 'notification_bodies',
    text: `with kept as materialized (
             select n.account_id, n.id, b.token, b.made_at, substring($4::bytea from b.start for b.length) as body
               from unnest($1::uuid[], $2::uuid[], $3::uuid[], $5::integer[], $6::integer[], $7::timestamptz[])
                      as b (account_id, id, token, start, length, made_at)
               join webhook_notifications n on n.account_id = b.account_id and n.id = b.id and n.created_at = b.made_at
                and n.created_at >= $8 and n.created_at < $9
              where n.lease_token = b.token and n.body is null
              order by n.webhook_id, n.lane_id, n.id
                for no key update of n
           )
           update webhook_notifications n set body = kept.body
             from kept
            where n.account_id = kept.account_id and n.id = kept.id and n.created_at = kept.made_at
              and n.created_at >= $8 and n.created_at < $9
              and n.lease_token = kept.token and n.body is null
           returning n.id, kept.token`,
    values: [
      bodies.map(({ accountId }) => accountId),
      bodies.map(({ id }) => id),
      bodies.map(({ token }) => token),
      Buffer.concat(bodies.map(({ body }) => body)),
      bodies.map(({ body }) => {
        const start = nextStart
        nextStart += body.length
        return start
      }),
      bodies.map(({ body }) => body.length),
      bodies.map(({ madeAt }) => madeAt),
      ...spanOf(bodies),
    ],
  })
  const kept = new Set(rows.map(({ id, token }) => `${id} ${token}`))
  return bodies.map(({ id, token }) => kept.has(`${id} ${token}`))
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
 * Logs attempts and ends them. Returns for each whether the lease was still valid; otherwise another worker's attempt
 * decides. Nothing is written for a webhook that was deleted meanwhile: notifications are locked before, in the order of
 * `lockWaitingLanes`.
 */
export async function finishAttempts(
  db: Db,
  ended: readonly (Held & { readonly status: DeliveryStatus; readonly log: AttemptLog })[],
): Promise<readonly boolean[]> {
  const { rows } = await db.query<{ logId: string }>({
    name: 'notifications_finish',
    text: `with ended as materialized (
             select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::integer[],
                                  $7::integer[], $8::text[], $9::text[], $10::integer[], $11::text[],
                                  $12::timestamptz[], $13::timestamptz[], $14::timestamptz[])
                        as e (account_id, id, token, status, log_id, attempt, status_code, error, address, duration_ms,
                              response_body, created_at, next_attempt_at, made_at)
           ), there as materialized (
             select e.*
               from ended e
               join webhook_notifications n on n.account_id = e.account_id and n.id = e.id and n.created_at = e.made_at
                and n.created_at >= $15 and n.created_at < $16
              order by n.webhook_id, n.lane_id, n.id
                for no key update of n
           ), finished as (
             update webhook_notifications n
                set delivery_status = e.status, attempts = e.attempt, next_attempt_at = e.next_attempt_at,
                    lease_token = null, leased_until = null
               from there e
              where n.account_id = e.account_id and n.id = e.id and n.created_at = e.made_at
                and n.created_at >= $15 and n.created_at < $16 and n.lease_token = e.token
             returning e.log_id
           ), logged as (
             insert into webhook_notification_logs
               (account_id, notification_id, id, attempt, status_code, error, address, duration_ms, response_body,
                created_at, next_attempt_at)
             select e.account_id, e.id, e.log_id, e.attempt, e.status_code, e.error, e.address, e.duration_ms,
                    e.response_body, e.created_at, e.next_attempt_at
               from there e
           )
           select log_id as "logId" from finished`,
    values: [
      ended.map(({ accountId }) => accountId),
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
      ...spanOf(ended),
    ],
  })
  const finished = new Set(rows.map(({ logId }) => logId))
  return ended.map(({ log }) => finished.has(log.id))
}

/**
 * Makes the next notification of each lane due. Runs in the transaction that ended the attempts before it, but as a
 * statement of its own: only so does it see what was added while the statement before it waited.
 */
export async function releaseNextInLanes(db: Db, lanes: readonly Lane[], now: string): Promise<void> {
  const floor = await readDeliveryFloor(db)
  await db.query({
    name: 'notifications_release',
    text: `update webhook_notifications n set next_attempt_at = $4
             from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as lane (account_id, webhook_id, lane_id)
            cross join lateral (
              select w.id, w.created_at from webhook_notifications w
               where w.account_id = lane.account_id and w.webhook_id = lane.webhook_id and w.lane_id = lane.lane_id
                 and w.delivery_status = 'pending' and w.attempts = 0 and w.created_at >= $5
               order by w.sequence limit 1) next
            where n.account_id = lane.account_id and n.id = next.id and n.created_at = next.created_at
              and n.created_at >= $5 and n.next_attempt_at is null`,
    values: [
      lanes.map(({ accountId }) => accountId),
      lanes.map(({ webhookId }) => webhookId),
      lanes.map(({ laneId }) => laneId),
      now,
      floor,
    ],
  })
}
