/**
 * Webhooks: the addresses to which an account wants events, which events, and the secrets by which it checks our
 * signatures.
 */

import type { Db } from '../../db/database.ts'
import type { MoveFilter } from '../transport-events/moves-sql.ts'
import type { StoredHeader } from './webhook-headers-sql.ts'

/** A header as its owner gives it. */
export interface WebhookHeader {
  readonly name: string
  readonly value: string
}

/** Forms other than our own documents: DCSA Track & Trace, ANSI X12 315, EDIFACT IFTSTA. */
export const webhookFormats = ['dcsa_2', 'dcsa_3', 'x12_315', 'iftsta'] as const
export type WebhookFormat = (typeof webhookFormats)[number]

/** The names in the envelope of an EDI interchange, by which partners know each other. */
export interface EdiIds {
  readonly sender: string
  readonly receiver: string
  /** What kind of name each is. Null: `ZZ` (mutually defined) in X12, and none in EDIFACT. */
  readonly senderQualifier: string | null
  readonly receiverQualifier: string | null
  /** Marks each interchange as a test. */
  readonly isTest: boolean
}

/** Which moves a receiver gets, besides by the names of their events. */
export interface WebhookMoveFilter {
  readonly filter: MoveFilter
  /** As its owner wrote it. */
  readonly asked: Readonly<Record<string, unknown>>
}

export interface Webhook {
  readonly accountId: string
  readonly id: string
  readonly url: string
  readonly isActive: boolean
  /** Names of events, and the patterns by which some of them were given. */
  readonly events: readonly string[]
  readonly headers: readonly StoredHeader[] | null
  /** The content type of what it is sent; null for that of the installation. */
  readonly contentType: string | null
  /** The headers in which it is sent the plain signature; null for those of the installation. */
  readonly signatureHeaders: readonly string[] | null
  /** Null: our own documents. */
  readonly format: WebhookFormat | null
  readonly narrowing: WebhookMoveFilter | null
  /** Given exactly for the two forms of EDI. */
  readonly ediIds: EdiIds | null
  /** Why we switched it off; null when we did not. */
  readonly disabledReason: string | null
  /** Since when only failures have come back; null when that is not so. */
  readonly failingSince: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface Subscription {
  readonly accountId: string
  readonly webhookId: string
  readonly events: readonly string[]
  readonly format: WebhookFormat | null
  readonly narrowing: WebhookMoveFilter | null
}

const columns = `account_id as "accountId", id, url, is_active as "isActive", events, headers,
                 content_type as "contentType", signature_headers as "signatureHeaders",
                 format, narrowing, edi_ids as "ediIds", disabled_reason as "disabledReason", failing_since as "failingSince", created_at as "createdAt", updated_at as "updatedAt"`

export async function insertWebhook(
  db: Db,
  webhook: Omit<Webhook, 'disabledReason' | 'failingSince' | 'updatedAt'>,
): Promise<void> {
  await db.query({
    name: 'webhook_insert',
    text: `insert into webhooks (account_id, id, url, is_active, events, headers, content_type, signature_headers, created_at,
                                 updated_at, format, narrowing, edi_ids)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $12)`,
    values: [
      webhook.accountId,
      webhook.id,
      webhook.url,
      webhook.isActive,
      webhook.events,
      webhook.headers === null ? null : JSON.stringify(webhook.headers),
      webhook.contentType,
      webhook.signatureHeaders,
      webhook.createdAt,
      webhook.format,
      webhook.narrowing === null ? null : JSON.stringify(webhook.narrowing),
      webhook.ediIds === null ? null : JSON.stringify(webhook.ediIds),
    ],
  })
}

/**
 * How many there are. The account stays locked until the transaction ends, so that nobody else who counts this way gets
 * an answer before.
 */
export async function lockAndCountWebhooks(db: Db, accountId: string): Promise<number> {
  await db.query({
    name: 'webhooks_count_lock',
    text: `select from accounts where id = $1 for no key update`,
    values: [accountId],
  })
  const { rows } = await db.query<{ total: number }>({
    name: 'webhooks_count_alone',
    text: `select count(*) as total from webhooks where account_id = $1`,
    values: [accountId],
  })
  return rows[0]?.total ?? 0
}

/** Those of one form, the newest first. */
export async function listWebhooksOfFormat(
  db: Db,
  of: { readonly accountId: string; readonly format: WebhookFormat },
): Promise<readonly Webhook[]> {
  const { rows } = await db.query<Webhook>({
    name: 'webhooks_of_format',
    text: `select ${columns} from webhooks where account_id = $1 and format = $2 order by created_at desc, id`,
    values: [of.accountId, of.format],
  })
  return rows
}

/** Newest first. */
export async function listWebhooks(
  db: Db,
  page: { readonly accountId: string; readonly limit: number; readonly offset: number },
): Promise<{ readonly webhooks: readonly Webhook[]; readonly total: number }> {
  const counted = await db.query<{ total: number }>({
    name: 'webhooks_count',
    text: `select count(*) as total from webhooks where account_id = $1`,
    values: [page.accountId],
  })
  const { rows } = await db.query<Webhook>({
    name: 'webhooks_list',
    text: `select ${columns} from webhooks where account_id = $1 order by created_at desc, id limit $2 offset $3`,
    values: [page.accountId, page.limit, page.offset],
  })
  return { webhooks: rows, total: counted.rows[0]?.total ?? 0 }
}

export async function findWebhooks(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly Webhook[]> {
  const { rows } = await db.query<Webhook>({
    name: 'webhooks_find',
    text: `select ${columns} from webhooks where account_id = $1 and id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
  return rows
}

/**
 * Writes what its owner may change. For a webhook that is switched on again, the caller gives null for `disabledReason`
 * and `failingSince`.
 */
export async function updateWebhook(db: Db, webhook: Omit<Webhook, 'createdAt'>): Promise<void> {
  await db.query({
    name: 'webhook_update',
    text: `update webhooks
              set url = $3, is_active = $4, events = $5, headers = $6, content_type = $7, signature_headers = $8,
                  disabled_reason = $9, failing_since = $10, updated_at = $11, narrowing = $12
            where account_id = $1 and id = $2`,
    values: [
      webhook.accountId,
      webhook.id,
      webhook.url,
      webhook.isActive,
      webhook.events,
      webhook.headers === null ? null : JSON.stringify(webhook.headers),
      webhook.contentType,
      webhook.signatureHeaders,
      webhook.disabledReason,
      webhook.failingSince,
      webhook.updatedAt,
      webhook.narrowing === null ? null : JSON.stringify(webhook.narrowing),
    ],
  })
}

/**
 * Deletes the webhook with its notifications, secrets and logs. Returns false when there was none. Runs in a
 * transaction.
 */
export async function deleteWebhook(db: Db, accountId: string, id: string): Promise<boolean> {
  if ((await lockWebhook(db, accountId, id)) === null) return false
  // From here on no attempt is logged (`finishAttempts`), and the next statement sees all that were.
  await db.query({
    name: 'webhook_delete_lock',
    text: `select count(*) from (select from webhook_notifications where account_id = $1 and webhook_id = $2
                                   order by webhook_id, lane_id, id for update) n`,
    values: [accountId, id],
  })
  // Nothing ties attempts to their notifications: both are partitioned, each by its own time.
  await db.query({
    name: 'webhook_delete_attempts',
    text: `with n as materialized (
             select id, created_at - interval '1 day' as since from webhook_notifications
              where account_id = $1 and webhook_id = $2)
           delete from webhook_notification_logs g using n
            where g.account_id = $1 and g.notification_id = n.id and g.created_at >= n.since`,
    values: [accountId, id],
  })
  const { rowCount } = await db.query({
    name: 'webhook_delete',
    text: `delete from webhooks where account_id = $1 and id = $2`,
    values: [accountId, id],
  })
  return rowCount === 1
}

/**
 * The active webhooks that subscribe to one of these names or patterns. They are locked, so that none is switched off
 * before the notifications made for it have committed. The lock is taken before any lock on notifications; whoever
 * switches a webhook off takes the locks in the same order. Locked are those of one account after the other, because
 * accounts may lie on different machines; most have none.
 */
export async function lockSubscriptions(
  db: Db,
  to: { readonly accountIds: readonly string[]; readonly events: readonly string[] },
): Promise<readonly Subscription[]> {
  const { rows: found } = await db.query<{ accountId: string }>({
    name: 'webhooks_subscribed',
    text: `select distinct account_id as "accountId" from webhooks
            where account_id = any($1::uuid[]) and is_active and events && $2::text[] order by 1`,
    values: [to.accountIds, to.events],
  })
  const locked: Subscription[] = []
  for (const { accountId } of found) {
    const { rows } = await db.query<Subscription>({
      name: 'webhooks_subscribed_lock',
      text: `select account_id as "accountId", id as "webhookId", events, format, narrowing from webhooks
              where account_id = $1 and is_active and events && $2::text[]
              order by id
                for share`,
      values: [accountId, to.events],
    })
    locked.push(...rows)
  }
  return locked
}

/**
 * Locks the webhook and returns it, or null. So those who end or refill its queue run one after the other, with each
 * other and with the sequencer.
 */
export async function lockWebhook(db: Db, accountId: string, id: string): Promise<Webhook | null> {
  const { rows } = await db.query<Webhook>({
    name: 'webhook_lock',
    text: `select ${columns} from webhooks where account_id = $1 and id = $2 for no key update`,
    values: [accountId, id],
  })
  return rows[0] ?? null
}

/** Switches a webhook off. Returns false when it was off already. */
export async function disableWebhook(
  db: Db,
  webhook: {
    readonly accountId: string
    readonly id: string
    readonly reason: string
    readonly now: string
    /** Only when nothing but failures has come back since this instant or longer; null: in any case. */
    readonly failingSince: string | null
  },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'webhook_disable',
    text: `update webhooks set is_active = false, disabled_reason = $3, updated_at = $4
            where account_id = $1 and id = $2 and is_active and ($5::timestamptz is null or failing_since <= $5)`,
    values: [webhook.accountId, webhook.id, webhook.reason, webhook.now, webhook.failingSince],
  })
  return rowCount === 1
}

/** Notes when a run of failures began. A success (`since` null) ends the run. */
export async function markFailing(
  db: Db,
  webhook: { readonly accountId: string; readonly id: string; readonly since: string | null },
): Promise<void> {
  await db.query({
    name: 'webhook_failing',
    text: `update webhooks set failing_since = $3
            where account_id = $1 and id = $2 and (failing_since is null) <> ($3::timestamptz is null)`,
    values: [webhook.accountId, webhook.id, webhook.since],
  })
}
