/**
 * Puts deliveries into the queue of a webhook by hand: one delivery once more, all that failed, and events to which it
 * was never subscribed.
 */

import type { Db } from '../database.ts'

/**
 * Makes a notification due now and begins its schedule of retries again. A retry that was pending is dropped. Nothing
 * changes while an attempt is under way or before the first attempt, because the notification is on its way already.
 */
export async function requeue(
  db: Db,
  notification: { readonly accountId: string; readonly id: string; readonly now: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'notification_requeue',
    text: `update webhook_notifications
              set delivery_status = 'pending', next_attempt_at = $3, schedule_from = attempts,
                  lease_token = null, leased_until = null
            where account_id = $1 and id = $2 and (lease_token is null or leased_until <= $3)
              and (attempts > 0 or delivery_status <> 'pending')`,
    values: [notification.accountId, notification.id, notification.now],
  })
  return rowCount === 1
}

/** Which notifications of a webhook are to be sent once more. `since` and `until` belong to the range. */
export interface QueueRange {
  readonly accountId: string
  readonly webhookId: string
  readonly since: string
  readonly until: string
  readonly limit: number
}

/** Makes notifications due that were attempted and failed, in the order of their events. Returns how many. */
export async function requeueFailed(db: Db, range: QueueRange & { readonly now: string }): Promise<number> {
  const { rowCount } = await db.query({
    name: 'notifications_requeue_failed',
    // The times are a microsecond apart, and the last one is now: the queue is taken in the order of these times.
    text: `update webhook_notifications n
              set delivery_status = 'pending', schedule_from = n.attempts, lease_token = null, leased_until = null,
                  next_attempt_at = $5::timestamptz - failed.behind * interval '1 microsecond'
             from (select id, row_number() over (order by sequence desc) - 1 as behind
                     from (select id, sequence from webhook_notifications
                            where account_id = $1 and webhook_id = $2 and delivery_status = 'failed' and attempts > 0
                              and created_at >= $3 and created_at <= $4
                            order by sequence limit $6 for no key update) taken) failed
            where n.account_id = $1 and n.id = failed.id`,
    values: [range.accountId, range.webhookId, range.since, range.until, range.now, range.limit],
  })
  return rowCount ?? 0
}

/** An event that is to be delivered for the first time. */
export interface Unattempted {
  readonly eventId: string
  readonly event: string
  readonly sequence: number
  readonly laneId: string
}

/** Notifications that failed before their first attempt, because their webhook was switched off first. */
export async function listStopped(db: Db, range: QueueRange): Promise<readonly Unattempted[]> {
  const { rows } = await db.query<Unattempted>({
    name: 'notifications_stopped',
    text: `select event_id as "eventId", event, sequence, lane_id as "laneId" from webhook_notifications
            where account_id = $1 and webhook_id = $2 and delivery_status = 'failed' and attempts = 0
              and created_at >= $3 and created_at <= $4
            order by sequence limit $5`,
    values: [range.accountId, range.webhookId, range.since, range.until, range.limit],
  })
  return rows
}

/** Events with these names for which the webhook never had a notification. The range is of the events' own times.
 * `after`: a number of an event; those up to it are passed over. */
export async function listNeverSent(
  db: Db,
  range: QueueRange & { readonly events: readonly string[]; readonly after: number },
): Promise<readonly (Unattempted & { readonly referenceId: string })[]> {
  const { rows } = await db.query<Unattempted & { readonly referenceId: string }>({
    name: 'events_never_sent',
    text: `select e.id as "eventId", e.name as event, e.sequence, e.reference_id as "referenceId",
                  coalesce(e.shipment_id, e.tracking_request_id, e.id) as "laneId"
             from events e
            where e.account_id = $1 and e.created_at >= $3 and e.created_at <= $4 and e.name = any($5)
              and e.sequence > $7
              and not exists (select from webhook_notifications n
                               where n.account_id = e.account_id and n.event_id = e.id and n.webhook_id = $2)
            order by e.sequence limit $6`,
    values: [
      range.accountId,
      range.webhookId,
      range.since,
      range.until,
      range.events,
      range.limit,
      range.after,
    ],
  })
  return rows
}

/** Queues what was never attempted: new notifications, or those that were stopped before. */
export async function putUnattempted(
  db: Db,
  put: {
    readonly accountId: string
    readonly webhookId: string
    readonly now: string
    readonly notifications: readonly (Unattempted & {
      readonly id: string
      /** False: it waits for the notification before it in its lane. */
      readonly isDue: boolean
    })[]
  },
): Promise<void> {
  const { notifications } = put
  await db.query({
    name: 'notifications_put_unattempted',
    text: `insert into webhook_notifications
             (account_id, id, webhook_id, event_id, event, sequence, lane_id, next_attempt_at, created_at)
           select $1, n.id, $2, n.event_id, n.event, n.sequence, n.lane_id, case when n.is_due then $3::timestamptz end, $3
             from unnest($4::uuid[], $5::uuid[], $6::text[], $7::bigint[], $8::uuid[], $9::boolean[])
                  as n (id, event_id, event, sequence, lane_id, is_due)
           on conflict (account_id, id)
           do update set delivery_status = 'pending', next_attempt_at = excluded.next_attempt_at, lease_token = null,
                         leased_until = null
            where webhook_notifications.delivery_status = 'failed' and webhook_notifications.attempts = 0`,
    values: [
      put.accountId,
      put.webhookId,
      put.now,
      notifications.map(({ id }) => id),
      notifications.map(({ eventId }) => eventId),
      notifications.map(({ event }) => event),
      notifications.map(({ sequence }) => sequence),
      notifications.map(({ laneId }) => laneId),
      notifications.map(({ isDue }) => isDue),
    ],
  })
}
