/**
 * Leases notifications that are due. One statement finds the webhooks that have any, of whatever account, and locks
 * nothing; another one leases what is due at some webhooks of one account (docs/decisions/0046).
 */

import type { Db } from '../../db/database.ts'
import { getJsonInstant } from '../../db/listing/json-instant.ts'
import type { WebhookEventName } from '../../domain/changes/event-table.ts'
import type { StoredHeader } from '../../modules/webhooks/webhook-headers-sql.ts'
import type { EdiIds, WebhookFormat } from '../../modules/webhooks/webhooks-sql.ts'
import { queueFloor } from './delivery-floor-sql.ts'
import { cardinalityLimitSql, exactTimeSql, type Lane } from './webhook-notifications-sql.ts'

/** A notification that was leased for an attempt, with the data of its webhook that the attempt needs. */
export interface LeasedNotification extends Lane {
  readonly id: string
  readonly eventId: string
  readonly event: WebhookEventName
  readonly sequence: number
  readonly createdAt: string
  /**
   * The same to the microsecond. With the id and this time, a row is found at once by either of two indexes; with a
   * range of time, the planner may read all that were made within it.
   */
  readonly madeAt: string
  /** How many attempts have ended. */
  readonly attempts: number
  /** How many of these attempts were made before a user last requested a delivery. */
  readonly scheduleFrom: number
  /** The bytes that a process from before `webhook_payloads` has sent. */
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
  readonly encryptedSecrets: readonly Buffer[]
  /** The next ones of its lane, whose documents can be written together with its own. Of the first of a lane only. */
  readonly upcoming?: readonly WaitingNotification[] | undefined
}

/** A notification that waits for another in its lane. */
type WaitingNotification = Pick<LeasedNotification, 'id' | 'eventId' | 'event' | 'sequence' | 'createdAt'>

const upcomingMax = 8

/** A webhook by both parts of its key. Used to go through all webhooks in order. */
export interface WebhookKey {
  readonly accountId: string
  readonly webhookId: string
}

/** Something is due at it. */
export interface DueWebhook extends WebhookKey {
  readonly isFailing: boolean
}

export interface CheckedWebhooks {
  readonly due: readonly DueWebhook[]
  /** The last one that was checked; null when nothing waits for those after it. */
  readonly last: WebhookKey | null
}

const seenAtOnce = 100

/**
 * Checks the next webhooks after `after`, and returns which of them have something due. It jumps along the index of the
 * queue to the first webhook for which anything waits, and checks a hundred webhooks from there on, each with one index
 * lookup. So neither a backlog, of whatever length, nor webhooks for which nothing waits delay the others.
 */
export async function findDueWebhooks(
  db: Db,
  from: { readonly after: WebhookKey; readonly now: string; readonly floor: string },
): Promise<CheckedWebhooks> {
  const { rows } = await db.query<DueWebhook & { isDue: boolean; seen: number }>({
    name: 'webhooks_due',
    text: `with next as materialized (
             select n.account_id, n.webhook_id from webhook_notifications n
              where n.delivery_status = 'pending' and n.next_attempt_at is not null and n.created_at >= $4
                and (n.account_id, n.webhook_id) > ($1, $2)
              order by n.account_id, n.webhook_id limit 1
           ), seen as materialized (
             select w.account_id, w.id, w.failing_since is not null as is_failing, due.is_due
               from webhooks w
               left join lateral (
                 select true as is_due from webhook_notifications n
                  where n.account_id = w.account_id and n.webhook_id = w.id
                    and n.delivery_status = 'pending' and n.next_attempt_at <= $3 and n.created_at >= $4
                  order by n.next_attempt_at limit 1) due on true
              where (w.account_id, w.id) >= (select account_id, webhook_id from next)
              order by w.account_id, w.id limit ${seenAtOnce}
           )
           select account_id as "accountId", id as "webhookId", is_due is not null as "isDue",
                  is_failing as "isFailing", (select count(*) from seen) as seen
             from seen
            where is_due or (account_id, id) = (select account_id, id from seen order by account_id desc, id desc limit 1)
            order by account_id, id`,
    values: [from.after.accountId, from.after.webhookId, from.now, from.floor],
  })
  const last = rows.at(-1)
  return { due: rows.filter(({ isDue }) => isDue), last: last?.seen === seenAtOnce ? last : null }
}

/** From which webhooks of an account to lease notifications, and for how long. */
export interface NotificationsToTake {
  readonly accountId: string
  readonly token: string
  readonly now: string
  readonly until: string
  readonly limit: number
  /** With the number of their attempts that are under way. */
  readonly webhooks: readonly { readonly webhookId: string; readonly underWay: number }[]
  readonly perWebhookMax: number
  readonly perFailingWebhookMax: number
  /** No notification from before it is pending (`delivery-floor-sql.ts`). */
  readonly floor: string
}

/** SQL of the webhook `w`. */
const webhookColumns = `w.url, w.headers, w.content_type, w.signature_headers, w.format, w.edi_ids, w.is_active, w.failing_since`

/** SQL: what is leased, of the account $1 at the time $3. `due` has the columns of its webhook. */
const leasedColumns = `n.account_id as "accountId", n.id, n.webhook_id as "webhookId", n.lane_id as "laneId",
  n.event_id as "eventId", n.event, n.sequence, n.created_at as "createdAt", due.made_at as "madeAt", n.attempts,
  n.schedule_from as "scheduleFrom", n.body, due.url, due.headers, due.content_type as "contentType",
  due.signature_headers as "signatureHeaders", due.format, due.edi_ids as "ediIds",
  due.is_active as "isWebhookActive", due.failing_since as "failingSince",
  array(select s.secret_sealed from webhook_secrets s
         where s.account_id = $1 and s.webhook_id = n.webhook_id and (s.expires_at is null or s.expires_at > $3)
         order by s.created_at, s.id) as "encryptedSecrets"`

/**
 * Leases what is due at these webhooks, the longest due first, and for no webhook more than its capacity. A webhook
 * that fails gets little capacity, because one that hangs would otherwise occupy every worker.
 *
 * Runs outside a transaction, and its commit is not forced to disk. The commit that stores the bytes is forced, and
 * comes after it in the log. A database that dies before then has only forgotten the lease of something that was never
 * sent.
 */
export async function leaseNotifications(db: Db, of: NotificationsToTake): Promise<readonly LeasedNotification[]> {
  const { rows } = await db.query<LeasedNotification>({
    name: 'notifications_take',
    text: `with due as materialized (
             select next.id, next.created_at, next.made_at, ${webhookColumns}
               from (select * from unnest($5::uuid[], $6::integer[]) as a (webhook_id, under_way)
                      ${cardinalityLimitSql('$5::uuid[]')}) asked
               join webhooks w on w.account_id = $1 and w.id = asked.webhook_id
              cross join lateral (
                select n.id, n.created_at, ${exactTimeSql('n.created_at')} as made_at from webhook_notifications n
                 where n.account_id = $1 and n.webhook_id = w.id
                   and n.delivery_status = 'pending' and n.next_attempt_at <= $3 and n.created_at >= $10
                 order by n.next_attempt_at
                 limit greatest(case when w.failing_since is null then $7::integer else $8::integer end
                                - asked.under_way, 0)
                   for no key update skip locked
              ) next
              limit $9
           )
           update webhook_notifications n
              set lease_token = $2, leased_until = $4, next_attempt_at = $4
             from due cross join (select set_config('synchronous_commit', 'off', true)) as unforced
            where n.account_id = $1 and n.id = due.id and n.created_at = due.created_at and n.created_at >= $10
           returning ${leasedColumns},
             array(select json_build_object('id', f.id, 'eventId', f.event_id, 'event', f.event, 'sequence', f.sequence,
                                            'createdAt', f.created_at)
                     from webhook_notifications f
                    where f.account_id = $1 and f.webhook_id = n.webhook_id and f.lane_id = n.lane_id
                      and f.delivery_status = 'pending' and f.attempts = 0 and f.created_at >= $10
                      and n.attempts = 0 and f.sequence > n.sequence
                    order by f.sequence limit ${upcomingMax}) as upcoming`,
    values: [
      of.accountId,
      of.token,
      of.now,
      of.until,
      of.webhooks.map(({ webhookId }) => webhookId),
      of.webhooks.map(({ underWay }) => underWay),
      of.perWebhookMax,
      of.perFailingWebhookMax,
      of.limit,
      of.floor,
    ],
  })
  // Those of a receiver begin in the order of their events.
  return rows
    .toSorted((a, b) => a.sequence - b.sequence)
    .map((row) => ({ ...row, upcoming: row.upcoming?.map(readWaiting) }))
}

const readWaiting = (row: WaitingNotification): WaitingNotification => ({
  ...row,
  createdAt: getJsonInstant(row.createdAt),
})

/**
 * Leases the next notification of each of the account's lanes, in the transaction that ended the attempt before it, as
 * `releaseNextInLanes` makes it due. Repeated with the same tokens, it returns the same.
 */
export async function leaseNextInLanes(
  db: Db,
  accountId: string,
  of: {
    readonly lanes: readonly (Lane & { readonly token: string; readonly until: string })[]
    readonly now: string
  },
): Promise<readonly (LeasedNotification & { readonly token: string })[]> {
  const { rows } = await db.query<LeasedNotification & { readonly token: string }>({
    name: 'notifications_follow',
    text: `update webhook_notifications n set lease_token = due.token, leased_until = due.until, next_attempt_at = due.until
             from (
               select next.id, next.created_at, next.made_at, lane.token, lane.until, ${webhookColumns}
                 from (select * from unnest($2::uuid[], $4::uuid[], $5::uuid[], $6::timestamptz[])
                                       as l (webhook_id, lane_id, token, until) ${cardinalityLimitSql('$2::uuid[]')}) lane
                 join webhooks w on w.account_id = $1 and w.id = lane.webhook_id
                cross join lateral (
                  select f.id, f.created_at, ${exactTimeSql('f.created_at')} as made_at from webhook_notifications f
                   where f.account_id = $1 and f.webhook_id = lane.webhook_id and f.lane_id = lane.lane_id
                     and f.delivery_status = 'pending' and f.attempts = 0 and f.created_at >= ${queueFloor}
                   order by f.sequence limit 1) next) due
            where n.account_id = $1 and n.id = due.id and n.created_at = due.created_at
              and n.created_at >= ${queueFloor} and (n.next_attempt_at is null or n.lease_token = due.token)
           returning ${leasedColumns}, n.lease_token as token`,
    values: [
      accountId,
      of.lanes.map(({ webhookId }) => webhookId),
      of.now,
      of.lanes.map(({ laneId }) => laneId),
      of.lanes.map(({ token }) => token),
      of.lanes.map(({ until }) => until),
    ],
  })
  return rows
}
