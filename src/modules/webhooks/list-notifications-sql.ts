/** Notifications as the APIs read them, with the event of each, and their attempts. */

import type { Db } from '../../db/database.ts'
import { makeConditions, sql } from '../../db/listing/conditions.ts'
import { getJsonInstant } from '../../db/listing/json-instant.ts'
import { readListing, readOrder, rowJson, type SortColumn } from '../../db/listing/listing.ts'
import type { Page, PageRequest, TimeRange } from '../../db/listing/page.ts'
import type { WebhookEventName } from '../../domain/changes/event-table.ts'
import type { DeliveryStatus } from '../../pipeline/delivery/webhook-notifications-sql.ts'
import { timeOfId } from '../../platform/ids.ts'
import type { DomainEventReading } from '../events/read-domain-events-sql.ts'

export interface WebhookNotificationReading {
  readonly type: 'webhook_notification'
  readonly id: string
  readonly webhookId: string
  readonly event: DomainEventReading
  /** By which the webhook gets the event. */
  readonly name: WebhookEventName
  readonly sequence: number
  readonly deliveryStatus: DeliveryStatus
  readonly createdAt: string
  /** Its attempts, oldest first. */
  readonly logIds: readonly string[]
}

export interface WebhookNotificationLogReading {
  readonly type: 'webhook_notification_log'
  readonly id: string
  readonly notificationId: string
  readonly attempt: number
  readonly statusCode: number | null
  readonly error: string | null
  readonly address: string | null
  readonly durationMs: number
  readonly responseBody: string | null
  readonly createdAt: string
  readonly nextAttemptAt: string | null
}

export interface WebhookNotificationFilter {
  readonly deliveryStatus: DeliveryStatus | null
  readonly event: string | null
  readonly webhookId: string | null
  readonly createdAt: TimeRange
  /** Only those that were given up, or that failed so far and are tried again. */
  readonly isFailing?: boolean
}

interface Row extends DomainEventReading {
  readonly notificationId: string
  readonly sentName: WebhookEventName
  readonly webhookId: string
  readonly sequence: number
  readonly deliveryStatus: DeliveryStatus
  readonly notifiedAt: string
  readonly logIds: readonly string[] | null
}

const columns = `n.id as "notificationId", n.webhook_id as "webhookId", n.event as "sentName", n.sequence,
  n.delivery_status as "deliveryStatus", n.created_at as "notifiedAt", l.ids as "logIds",
  e.account_id as "accountId", e.id, e.name, e.reference_type as "referenceType", e.reference_id as "referenceId",
  e.tracking_request_id as "trackingRequestId", e.shipment_id as "shipmentId", e.container_id as "containerId",
  e.payload, e.created_at as "createdAt"`

/**
 * SQL: attempts are partitioned by their own time, and none was made before its notification. The clocks of the machines that
 * wrote the two may differ.
 */
const clocksDiffer = `interval '1 day'`

const beside = `join events e on e.account_id = $1 and e.id = n.event_id
  left join lateral (
    select array_agg(g.id order by g.created_at, g.id) as ids from webhook_notification_logs g
     where g.account_id = $1 and g.notification_id = n.id
       and g.created_at >= n.created_at - ${clocksDiffer}) l on true`

function readRow(row: Row): WebhookNotificationReading {
  const { notificationId, webhookId, sentName, sequence, deliveryStatus, notifiedAt, logIds, ...event } = row
  return {
    type: 'webhook_notification',
    id: notificationId,
    webhookId,
    event,
    name: sentName,
    sequence,
    deliveryStatus,
    createdAt: notifiedAt,
    logIds: logIds ?? [],
  }
}

/** An id may be anything that a caller sent; PostgreSQL reads no longer years. */
const yearMax = Date.UTC(9999)

/**
 * Between which times the notifications with these ids were made, as far as the ids show it: ids of older versions do
 * not. So only the partitions of this time are read.
 */
function timesOf(ids: readonly string[]): readonly [string, string] {
  const times = ids.map(timeOfId)
  const haveTimes = ids.every((id) => id.charAt(14) === '7') && Math.max(...times) < yearMax
  return haveTimes && times.length > 0
    ? [new Date(Math.min(...times)).toISOString(), new Date(Math.max(...times) + 1).toISOString()]
    : ['-infinity', 'infinity']
}

/** Those of the ids that the account has, in no particular order. */
export async function readNotifications(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly WebhookNotificationReading[]> {
  const { rows } = await db.query<Row & Record<string, never>>({
    name: 'read_notifications',
    text: `select ${columns} from webhook_notifications n ${beside}
            where n.account_id = $1 and n.id = any($2::uuid[]) and n.created_at >= $3 and n.created_at < $4`,
    values: [of.accountId, of.ids, ...timesOf(of.ids)],
  })
  return rows.map(readRow)
}

/** What the list can be sorted by. Notifications of the same moment are in the order of their events. */
const notificationSorts = {
  created_at: { column: 'created_at', type: 'timestamptz', tie: 'sequence' },
} as const satisfies Readonly<Record<string, SortColumn>>
export type NotificationOrder = 'created_at' | '-created_at'

export async function listNotificationRows(
  db: Db,
  list: {
    readonly accountId: string
    readonly filter: WebhookNotificationFilter
    readonly order: NotificationOrder
    /** All were made before it. */
    readonly until: string
    readonly page: PageRequest
  },
): Promise<Page<WebhookNotificationReading>> {
  const { filter, order, page } = list
  const conditions = makeConditions('n', list.accountId)
  conditions.add(sql`n.delivery_status = ${filter.deliveryStatus}`)
  conditions.add(sql`n.event = ${filter.event}`)
  conditions.add(sql`n.webhook_id = ${filter.webhookId}`)
  conditions.addRange('n.created_at', filter.createdAt)
  // The default partition, which may have rows of any time, is left out. So the others are read one after the other, until
  // the page is full.
  conditions.addText(`n.created_at < ${conditions.bind(list.until)}::timestamptz`)
  if (filter.isFailing === true)
    conditions.addText(
      `(n.delivery_status = 'failed' or n.delivery_status = 'pending' and n.attempts > n.schedule_from)`,
    )
  const { rows, ...rest } = await readListing<Row>(db, {
    table: 'webhook_notifications',
    alias: 'n',
    select: rowJson(columns),
    joins: beside,
    ...readOrder(notificationSorts, order),
    conditions,
    page,
    isCounted: true,
  })
  return { rows: rows.map(readJsonRow), ...rest }
}

function readJsonRow(row: Row): WebhookNotificationReading {
  return readRow({
    ...row,
    notifiedAt: getJsonInstant(row.notifiedAt),
    createdAt: getJsonInstant(row.createdAt),
  })
}

/** In the order in which they were made. */
export async function readAttempts(
  db: Db,
  of: { readonly accountId: string; readonly notificationIds: readonly string[] },
): Promise<readonly WebhookNotificationLogReading[]> {
  const { rows } = await db.query<WebhookNotificationLogReading>({
    name: 'read_attempts',
    text: `select 'webhook_notification_log' as type, g.id, g.notification_id as "notificationId", g.attempt,
                  g.status_code as "statusCode", g.error, g.address, g.duration_ms as "durationMs",
                  g.response_body as "responseBody", g.created_at as "createdAt",
                  g.next_attempt_at as "nextAttemptAt"
             from webhook_notification_logs g
            where g.account_id = $1 and g.notification_id = any($2::uuid[])
              and g.created_at >= $3::timestamptz - ${clocksDiffer}
            order by g.notification_id, g.created_at, g.id`,
    values: [of.accountId, of.notificationIds, timesOf(of.notificationIds)[0]],
  })
  return rows
}
