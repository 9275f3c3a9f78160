/** Notifications: one event for one webhook, from the queue through its attempts, each of them logged, to its end. */

import { compareText } from '../../core/statements/statement.ts'
import { addDays } from '../../core/values/time.ts'
import type { Db } from '../database.ts'
import { readDeliveryFloor } from './delivery-floor.ts'
import type { StoredHeader } from './webhook-headers.ts'
import type { EdiIds, WebhookFormat } from './webhooks.ts'

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** First deliveries of a lane take turns. A lane is one shipment (or else one request) at one webhook. */
export interface Lane {
  readonly accountId: string
  readonly webhookId: string
  readonly laneId: string
}

/** SQL: the time to the microsecond, which the driver would cut off. */
export function exactly(time: string): string {
  return `to_json(${time}) #>> '{}'`
}

/**
 * SQL: `n` was made at this time, which is known to the millisecond. Notifications are partitioned by it (migration 0114),
 * so only one partition is looked into.
 */
export function madeAt(time: string): string {
  return `n.created_at >= ${time} and n.created_at < ${time} + interval '1 millisecond'`
}

/**
 * A time before and one after which none of these were made, a day wide of them. With it in a statement, other partitions
 * are not even opened; a narrower one would have the planner believe that it finds a single row by it.
 */
export function spanOf(made: readonly { readonly madeAt: string }[]): readonly [string, string] {
  const times = made.map(({ madeAt }) => madeAt).toSorted()
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return ['infinity', '-infinity']
  return [addDays(first, -1), addDays(last, 1)]
}

export interface NewNotification extends Lane {
  readonly id: string
  readonly eventId: string
  readonly event: string
  readonly sequence: number
  /** Null: it waits for the notification before it in its lane. */
  readonly nextAttemptAt: string | null
}

/** A notification taken for an attempt, with what the attempt needs of its webhook. */
export interface LeasedNotification extends Lane {
  readonly id: string
  readonly eventId: string
  readonly event: string
  readonly sequence: number
  readonly createdAt: string
  /**
   * The same to the microsecond. What is looked for by the id and by this time is found at once by either of two indexes; by
   * a range of time, the planner may read all that were made within it.
   */
  readonly madeAt: string
  /** How many attempts have ended. */
  readonly attempts: number
  /** How many of these attempts were made before a delivery was last asked for by hand. */
  readonly scheduleFrom: number
  readonly body: Buffer | null
  readonly url: string
  readonly headers: readonly StoredHeader[] | null
  /** Null for that of the installation. */
  readonly contentType: string | null
  /** Null for those of the installation. */
  readonly signatureHeaders: readonly string[] | null
  /** Null: our own documents. */
  readonly format: WebhookFormat | null
  readonly ediIds: EdiIds | null
  readonly isWebhookActive: boolean
  readonly failingSince: string | null
  /** The webhook's valid secrets, oldest first. */
  readonly sealedSecrets: readonly Buffer[]
}

/**
 * Returns those of the lanes in which a notification still waits for its first attempt. The last one of each lane is
 * locked, so that its attempt cannot end, and look for a successor, before the caller's notifications have committed. A
 * lock that had to wait checks the row again: a notification whose first attempt has just ended no longer blocks its
 * lane. All callers take the lanes in one order, so that they never wait for each other.
 */
export async function lockWaitingLanes(db: Db, of: readonly Lane[]): Promise<readonly Lane[]> {
  const lanes = of.toSorted(
    (a, b) => compareText(a.webhookId, b.webhookId) || compareText(a.laneId, b.laneId),
  )
  const { rows } = await db.query<Lane>({
    name: 'notification_lanes_lock',
    text: `select lane.account_id as "accountId", lane.webhook_id as "webhookId", lane.lane_id as "laneId"
             from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as lane (account_id, webhook_id, lane_id)
            cross join lateral (
              select n.id from webhook_notifications n
               where n.account_id = lane.account_id and n.webhook_id = lane.webhook_id and n.lane_id = lane.lane_id
                 and n.delivery_status = 'pending' and n.attempts = 0 and n.created_at >= $4
               order by n.sequence desc
               limit 1
                 for no key update
            ) waiting`,
    values: [
      lanes.map(({ accountId }) => accountId),
      lanes.map(({ webhookId }) => webhookId),
      lanes.map(({ laneId }) => laneId),
      await readDeliveryFloor(db),
    ],
  })
  return rows
}

export async function insertNotifications(
  db: Db,
  notifications: readonly NewNotification[],
  createdAt: string,
): Promise<void> {
  await db.query({
    name: 'notifications_insert',
    text: `insert into webhook_notifications
             (account_id, id, webhook_id, event_id, event, sequence, lane_id, next_attempt_at, created_at)
           select *, $9::timestamptz
             from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::bigint[], $7::uuid[],
                         $8::timestamptz[])`,
    values: [
      notifications.map(({ accountId }) => accountId),
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

/** A webhook by both parts of its key. Used to go through all webhooks in order. */
export interface WebhookKey {
  readonly accountId: string
  readonly webhookId: string
}

/** Which notifications to take, and for how long. */
export interface NotificationsToTake {
  readonly token: string
  readonly now: string
  readonly until: string
  readonly limit: number
  readonly after: WebhookKey
  readonly perWebhookMax: number
  readonly perFailingWebhookMax: number
  /** No notification from before it is pending (`delivery-floor.ts`). */
  readonly floor: string
  /** Attempts under way, by webhook id. */
  readonly underWay: ReadonlyMap<string, number>
}

/**
 * Leases due notifications, webhook by webhook from the first after `after`, and for no webhook more than it has room
 * for. It jumps along the index from webhook to webhook, so a backlog of any length at one of them costs the others
 * nothing. A webhook that fails gets little room, because one that hangs would otherwise keep every worker busy.
 *
 * Runs outside a transaction, and its commit is not forced to disk. The commit that keeps the bytes is forced, and
 * comes after it in the log. A database that dies before then has only forgotten the lease of something that was never
 * sent.
 */
export async function takeNotifications(
  db: Db,
  of: NotificationsToTake,
): Promise<readonly LeasedNotification[]> {
  const { rows } = await db.query<LeasedNotification>({
    name: 'notifications_claim',
    text: takeText,
    values: [
      of.token,
      of.now,
      of.until,
      of.limit,
      of.after.accountId,
      of.after.webhookId,
      of.perWebhookMax,
      of.perFailingWebhookMax,
      [...of.underWay.keys()],
      [...of.underWay.values()],
      of.floor,
    ],
  })
  return rows
}

const takeText = `with recursive webhook (account_id, id) as (
    (select n.account_id, n.webhook_id from webhook_notifications n
      where n.delivery_status = 'pending' and n.next_attempt_at is not null and n.created_at >= $11
        and (n.account_id, n.webhook_id) > ($5, $6)
      order by n.account_id, n.webhook_id limit 1)
    union all
    select next.account_id, next.webhook_id
      from webhook cross join lateral (
        select n.account_id, n.webhook_id from webhook_notifications n
         where n.delivery_status = 'pending' and n.next_attempt_at is not null and n.created_at >= $11
           and (n.account_id, n.webhook_id) > (webhook.account_id, webhook.id)
         order by n.account_id, n.webhook_id limit 1) next
  ), due as materialized (
    select next.account_id, next.id, next.created_at, w.url, w.headers, w.content_type, w.signature_headers, w.format, w.edi_ids, w.is_active, w.failing_since
      from webhook
      join webhooks w on w.account_id = webhook.account_id and w.id = webhook.id
      left join unnest($9::uuid[], $10::integer[]) as busy (webhook_id, attempts) on busy.webhook_id = w.id
     cross join lateral (
       select n.account_id, n.id, n.created_at from webhook_notifications n
        where n.account_id = w.account_id and n.webhook_id = w.id
          and n.delivery_status = 'pending' and n.next_attempt_at <= $2 and n.created_at >= $11
        order by n.next_attempt_at
        limit greatest(case when w.failing_since is null then $7::integer else $8::integer end
                       - coalesce(busy.attempts, 0), 0)
          for no key update skip locked
     ) next
     limit $4
  )
  update webhook_notifications n
     set lease_token = $1, leased_until = $3, next_attempt_at = $3
    from due cross join (select set_config('synchronous_commit', 'off', true)) as unforced
   where n.account_id = due.account_id and n.id = due.id and n.created_at = due.created_at and n.created_at >= $11
  returning n.account_id as "accountId", n.id, n.webhook_id as "webhookId", n.lane_id as "laneId",
            n.event_id as "eventId", n.event, n.sequence, n.created_at as "createdAt",
            ${exactly('n.created_at')} as "madeAt", n.attempts,
            n.schedule_from as "scheduleFrom", n.body,
            due.url, due.headers, due.content_type as "contentType",
            due.signature_headers as "signatureHeaders", due.format, due.edi_ids as "ediIds", due.is_active as "isWebhookActive",
            due.failing_since as "failingSince",
            array(select s.secret_sealed from webhook_secrets s
                   where s.account_id = n.account_id and s.webhook_id = n.webhook_id
                     and (s.expires_at is null or s.expires_at > $2)
                   order by s.created_at, s.id) as "sealedSecrets"`

interface Held {
  readonly accountId: string
  readonly id: string
  readonly createdAt: string
  readonly token: string
}

/** Ends a notification that will not be attempted any more. */
export async function failNotification(db: Db, held: Held): Promise<void> {
  await db.query({
    name: 'notification_give_up',
    text: `update webhook_notifications n
              set delivery_status = 'failed', next_attempt_at = null, lease_token = null, leased_until = null
            where account_id = $1 and id = $2 and lease_token = $3 and ${madeAt('$4::timestamptz')}`,
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
