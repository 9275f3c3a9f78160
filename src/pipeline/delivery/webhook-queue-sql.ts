/**
 * Puts deliveries into the queue of a webhook on request of a user: one delivery once more, all that failed, and events
 * to which it was never subscribed.
 */

import type { Db } from '../../db/database.ts'
import type { EventName } from '../../domain/changes/event-table.ts'
import { lockDeliveryFloorShared, lowerDeliveryFloor } from './delivery-floor-sql.ts'
import { exactTimeSql, findCreationRange, wasMadeAtSql } from './webhook-notifications-sql.ts'

/**
 * Makes a notification due now and begins its schedule of retries again. A retry that was pending is dropped. Nothing
 * changes while an attempt is under way or before the first attempt, because the notification is on its way already.
 */
export async function requeueNotification(
  db: Db,
  notification: {
    readonly accountId: string
    readonly id: string
    readonly createdAt: string
    readonly now: string
  },
): Promise<boolean> {
  await lockDeliveryFloorShared(db)
  const { rowCount } = await db.query({
    name: 'notification_requeue',
    text: `update webhook_notifications n
              set delivery_status = 'pending', next_attempt_at = $3, schedule_from = attempts,
                  lease_token = null, leased_until = null
            where account_id = $1 and id = $2 and (lease_token is null or leased_until <= $3)
              and (attempts > 0 or delivery_status <> 'pending') and ${wasMadeAtSql('$4::timestamptz')}`,
    values: [notification.accountId, notification.id, notification.now, notification.createdAt],
  })
  if (rowCount !== 1) return false
  await lowerDeliveryFloor(db, notification.createdAt)
  return true
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
  await lockDeliveryFloorShared(db)
  const { rows } = await db.query<{ requeued: number; oldest: string | null }>({
    name: 'notifications_requeue_failed',
    // The times are a microsecond apart, and the last one is now: the queue is processed in the order of these times.
    text: `with requeued as (
           update webhook_notifications n
              set delivery_status = 'pending', schedule_from = n.attempts, lease_token = null, leased_until = null,
                  next_attempt_at = failed.due_at
             from (select id, created_at,
                          $5::timestamptz - (row_number() over (order by sequence desc) - 1) * interval '1 microsecond' as due_at
                     from (select id, created_at, sequence from webhook_notifications
                            where account_id = $1 and webhook_id = $2 and delivery_status = 'failed' and attempts > 0
                              and created_at >= $3 and created_at <= $4
                            order by sequence limit $6 for no key update) taken) failed
            where n.account_id = $1 and n.id = failed.id and n.created_at = failed.created_at
              and n.created_at >= $3 and n.created_at <= $4
           returning n.created_at)
           select count(*) as requeued, min(created_at) as oldest from requeued`,
    values: [range.accountId, range.webhookId, range.since, range.until, range.now, range.limit],
  })
  const { requeued, oldest } = rows[0] ?? { requeued: 0, oldest: null }
  if (oldest !== null) await lowerDeliveryFloor(db, oldest)
  return requeued
}

/** An event that is to be delivered for the first time. */
export interface UnattemptedEvent {
  readonly eventId: string
  readonly event: string
  readonly sequence: number
  readonly laneId: string
}

/** It was made before, and failed before its first attempt. */
export interface StoppedNotification extends UnattemptedEvent {
  readonly id: string
  /** Its creation, to the microsecond. */
  readonly madeAt: string
}

/** Notifications that failed before their first attempt, because their webhook was switched off first. */
export async function listStopped(db: Db, range: QueueRange): Promise<readonly StoppedNotification[]> {
  const { rows } = await db.query<StoppedNotification>({
    name: 'notifications_stopped',
    text: `select id, ${exactTimeSql('created_at')} as "madeAt", event_id as "eventId", event, sequence, lane_id as "laneId" from webhook_notifications
            where account_id = $1 and webhook_id = $2 and delivery_status = 'failed' and attempts = 0
              and created_at >= $3 and created_at <= $4
            order by sequence limit $5`,
    values: [range.accountId, range.webhookId, range.since, range.until, range.limit],
  })
  return rows
}

/** With its name in the feed. */
export interface NeverSentEvent extends UnattemptedEvent {
  readonly event: EventName
  readonly referenceId: string
}

/**
 * Events with these names for which the webhook never had a notification. The range is of the events' own times.
 * `after`: a number of an event; those up to it are skipped.
 */
export async function listNeverSent(
  db: Db,
  range: QueueRange & { readonly events: readonly EventName[]; readonly after: number },
): Promise<readonly NeverSentEvent[]> {
  const { rows } = await db.query<NeverSentEvent>({
    name: 'events_never_sent',
    text: `select e.id as "eventId", e.name as event, e.sequence, e.reference_id as "referenceId",
                  coalesce(e.shipment_id, e.tracking_request_id, e.id) as "laneId"
             from events e
            where e.account_id = $1 and e.created_at >= $3 and e.created_at <= $4 and e.name = any($5)
              and e.sequence > $7
              and not exists (select from webhook_notifications n
                               where n.account_id = e.account_id and n.event_id = e.id and n.webhook_id = $2)
            order by e.sequence limit $6`,
    values: [range.accountId, range.webhookId, range.since, range.until, range.events, range.limit, range.after],
  })
  return rows
}

/** Queues again what was stopped. */
export async function requeueStopped(
  db: Db,
  of: {
    readonly accountId: string
    readonly now: string
    /** `isDue`: false when it waits for the notification before it in its lane. */
    readonly stopped: readonly (Pick<StoppedNotification, 'id' | 'madeAt'> & { readonly isDue: boolean })[]
  },
): Promise<void> {
  const { stopped } = of
  if (stopped.length === 0) return
  const [from, to] = findCreationRange(stopped)
  await lockDeliveryFloorShared(db)
  await lowerDeliveryFloor(db, from)
  await db.query({
    name: 'notifications_requeue_stopped',
    text: `update webhook_notifications n
              set delivery_status = 'pending', next_attempt_at = case when s.is_due then $2::timestamptz end,
                  lease_token = null, leased_until = null
             from unnest($3::uuid[], $4::timestamptz[], $5::boolean[]) as s (id, made_at, is_due)
            where n.account_id = $1 and n.id = s.id and n.created_at = s.made_at
              and n.created_at >= $6 and n.created_at < $7
              and n.delivery_status = 'failed' and n.attempts = 0`,
    values: [
      of.accountId,
      of.now,
      stopped.map(({ id }) => id),
      stopped.map(({ madeAt }) => madeAt),
      stopped.map(({ isDue }) => isDue),
      from,
      to,
    ],
  })
}
