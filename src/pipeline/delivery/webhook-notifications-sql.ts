/**
 * Notifications: one event for one webhook, from the queue, where first deliveries of a lane go one after the other, to
 * its end.
 */

import type { Db } from '../../db/database.ts'
import { compareText } from '../../domain/statements/statement.ts'
import { addDays } from '../../domain/values/time.ts'
import { queueFloor, readDeliveryFloor } from './delivery-floor-sql.ts'

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** First deliveries of a lane go one after the other. A lane is one shipment (or else one request) at one webhook. */
export interface Lane {
  readonly accountId: string
  readonly webhookId: string
  readonly laneId: string
}

/** SQL: the time to the microsecond, which the driver would cut off. */
export function exactTimeSql(time: string): string {
  return `to_json(${time}) #>> '{}'`
}

/**
 * SQL: `n` was made at this time, which is known to the millisecond. Notifications are partitioned by it (migration
 * 0114), so only one partition is read.
 */
export function wasMadeAtSql(time: string): string {
  return `n.created_at >= ${time} and n.created_at < ${time} + interval '1 millisecond'`
}

/**
 * A time before and one after which none of these were made, a day wide of them. With it in a statement, other
 * partitions are not even opened. With a narrower one, the planner would believe that it finds a single row by it.
 */
export function findCreationRange(made: readonly { readonly madeAt: string }[]): readonly [string, string] {
  const times = made.map(({ madeAt }) => madeAt).toSorted()
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return ['infinity', '-infinity']
  return [addDays(first, -1), addDays(last, 1)]
}

/**
 * SQL: the end of a subquery that unpacks arrays. It changes nothing in the result. But of a limit that it does not
 * know, the planner expects a tenth. It then finds each row by its key, and keeps that plan for one row as for many.
 * Otherwise it planned anew for a single row each time, which takes ten times as long as the statement, or read all
 * notifications of the account in these days.
 */
export function cardinalityLimitSql(array: string): string {
  return `limit (select cardinality(${array}))`
}

/** In the order in which all lock them, within an account: so they never wait for each other. */
export function inLockOrder<T extends Pick<Lane, 'webhookId' | 'laneId'> & { readonly id?: string }>(
  all: readonly T[],
): readonly T[] {
  return all.toSorted(
    (a, b) =>
      compareText(a.webhookId, b.webhookId) || compareText(a.laneId, b.laneId) || compareText(a.id ?? '', b.id ?? ''),
  )
}

export interface NewNotification extends Lane {
  readonly id: string
  readonly eventId: string
  readonly event: string
  readonly sequence: number
  /** Null: it waits for the notification before it in its lane. */
  readonly nextAttemptAt: string | null
}

/**
 * Returns those of the account's lanes in which a notification still waits for its first attempt. The last one of each
 * lane is locked, so that its attempt cannot end, and search for a successor, before the caller's notifications have
 * committed. A lock that had to wait checks the row again: a notification whose first attempt has just ended no longer
 * blocks its lane. All callers process accounts, and the lanes of an account, in one order, so that they never wait for
 * each other.
 */
export async function lockWaitingLanes(
  db: Db,
  accountId: string,
  of: readonly Pick<Lane, 'webhookId' | 'laneId'>[],
): Promise<readonly Lane[]> {
  const lanes = inLockOrder(of)
  const { rows } = await db.query<Lane>({
    name: 'notification_lanes_lock',
    text: `select $1::uuid as "accountId", lane.webhook_id as "webhookId", lane.lane_id as "laneId"
             from (select * from unnest($2::uuid[], $3::uuid[]) as l (webhook_id, lane_id)
                    ${cardinalityLimitSql('$2::uuid[]')}) lane
            cross join lateral (
              select n.id from webhook_notifications n
               where n.account_id = $1 and n.webhook_id = lane.webhook_id and n.lane_id = lane.lane_id
                 and n.delivery_status = 'pending' and n.attempts = 0 and n.created_at >= ${queueFloor}
               order by n.sequence desc
               limit 1
                 for no key update
            ) waiting`,
    values: [accountId, lanes.map(({ webhookId }) => webhookId), lanes.map(({ laneId }) => laneId)],
  })
  return rows
}

export async function insertNotifications(
  db: Db,
  accountId: string,
  notifications: readonly Omit<NewNotification, 'accountId'>[],
  createdAt: string,
): Promise<void> {
  await db.query({
    name: 'notifications_insert',
    text: `insert into webhook_notifications
             (account_id, id, webhook_id, event_id, event, sequence, lane_id, next_attempt_at, created_at)
           select $1::uuid, made.*, $9::timestamptz
             from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::bigint[], $7::uuid[],
                         $8::timestamptz[]) as made`,
    values: [
      accountId,
      notifications.map(({ id }) => id),
      notifications.map(({ webhookId }) => webhookId),
      notifications.map(({ eventId }) => eventId),
      notifications.map(({ event }) => event),
      notifications.map(({ sequence }) => sequence),
      notifications.map(({ laneId }) => laneId),
      notifications.map(({ nextAttemptAt }) => nextAttemptAt),
      createdAt,
    ],
  })
}

interface NotificationLease {
  readonly accountId: string
  readonly id: string
  readonly createdAt: string
  readonly token: string
}

/** Ends a notification that will not be attempted any more. */
export async function failNotification(db: Db, held: NotificationLease): Promise<void> {
  await db.query({
    name: 'notification_give_up',
    text: `update webhook_notifications n
              set delivery_status = 'failed', next_attempt_at = null, lease_token = null, leased_until = null
            where account_id = $1 and id = $2 and lease_token = $3 and ${wasMadeAtSql('$4::timestamptz')}`,
    values: [held.accountId, held.id, held.token, held.createdAt],
  })
}

/** Ends everything that is queued for a webhook, except what is under way. Returns how many. */
export async function failQueued(
  db: Db,
  webhook: { readonly accountId: string; readonly id: string; readonly now: string },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'notifications_stop',
    text: `update webhook_notifications set delivery_status = 'failed', next_attempt_at = null
            where account_id = $1 and webhook_id = $2 and delivery_status = 'pending'
              and (lease_token is null or leased_until <= $3) and created_at >= $4`,
    values: [webhook.accountId, webhook.id, webhook.now, await readDeliveryFloor(db)],
  })
  return rowCount ?? 0
}
