/**
 * Webhooks: the addresses to which an account wants events, which events, and the secrets by which it checks our
 * signatures.
 */

import type { Db } from '../database.ts'
import type { StoredHeader } from './webhook-headers.ts'

/** A header as its owner gives it. */
export interface WebhookHeader {
  readonly name: string
  readonly value: string
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
  /** Why we switched it off; null when we did not. */
  readonly disabledReason: string | null
  /** Since when only failures have come back; null when that is not so. */
  readonly failingSince: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface SealedSecret {
  readonly webhookId: string
  readonly sealed: Buffer
}

export interface Subscription {
  readonly accountId: string
  readonly webhookId: string
  readonly events: readonly string[]
}

const columns = `account_id as "accountId", id, url, is_active as "isActive", events, headers,
                 content_type as "contentType", signature_headers as "signatureHeaders",
                 disabled_reason as "disabledReason", failing_since as "failingSince", created_at as "createdAt", updated_at as "updatedAt"`

export async function insertWebhook(
  db: Db,
  webhook: Omit<Webhook, 'disabledReason' | 'failingSince' | 'updatedAt'>,
): Promise<void> {
  await db.query({
    name: 'webhook_insert',
    text: `insert into webhooks (account_id, id, url, is_active, events, headers, content_type, signature_headers, created_at,
                                 updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
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
    ],
  })
}

export async function insertWebhookSecret(
  db: Db,
  secret: {
    readonly accountId: string
    readonly webhookId: string
    readonly id: string
    readonly sealed: Buffer
    readonly createdAt: string
    readonly expiresAt: string | null
  },
): Promise<void> {
  await db.query({
    name: 'webhook_secret_insert',
    text: `insert into webhook_secrets (account_id, webhook_id, id, secret_sealed, created_at, expires_at)
           values ($1, $2, $3, $4, $5, $6)`,
    values: [
      secret.accountId,
      secret.webhookId,
      secret.id,
      secret.sealed,
      secret.createdAt,
      secret.expiresAt,
    ],
  })
}

/**
 * How many there are. The account stays locked until the transaction ends, so that nobody else who counts this way gets
 * an answer before.
 */
export async function countWebhooksAlone(db: Db, accountId: string): Promise<number> {
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
                  disabled_reason = $9, failing_since = $10, updated_at = $11
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
    ],
  })
}

/** Deletes the webhook with its notifications, secrets and logs. Returns false when there was none. */
export async function deleteWebhook(db: Db, accountId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'webhook_delete',
    text: `delete from webhooks where account_id = $1 and id = $2`,
    values: [accountId, id],
  })
  return rowCount === 1
}

/** Gives this end to the secrets that have none yet. Returns how many. */
export async function endSecrets(
  db: Db,
  of: { readonly accountId: string; readonly webhookId: string; readonly at: string },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'webhook_secrets_end',
    text: `update webhook_secrets set expires_at = $3
            where account_id = $1 and webhook_id = $2 and expires_at is null`,
    values: [of.accountId, of.webhookId, of.at],
  })
  return rowCount ?? 0
}

/** The secrets that are valid at `now`, oldest first. */
export async function listLiveSecrets(
  db: Db,
  of: {
    readonly webhookIds: readonly string[]
    readonly accountIds: readonly string[]
    readonly now: string
  },
): Promise<readonly SealedSecret[]> {
  const { rows } = await db.query<SealedSecret>({
    name: 'webhook_secrets_live',
    text: `select webhook_id as "webhookId", secret_sealed as sealed from webhook_secrets
            where account_id = any($1::uuid[]) and webhook_id = any($2::uuid[])
              and (expires_at is null or expires_at > $3)
            order by created_at, id`,
    values: [of.accountIds, of.webhookIds, of.now],
  })
  return rows
}

/**
 * The active webhooks that subscribe to one of these names or patterns. They are locked, so that none is switched off
 * before the notifications made for it have committed. The lock is taken before any lock on notifications; whoever
 * switches a webhook off takes the locks in the same order.
 */
export async function lockSubscriptions(
  db: Db,
  to: { readonly accountIds: readonly string[]; readonly events: readonly string[] },
): Promise<readonly Subscription[]> {
  const { rows } = await db.query<Subscription>({
    name: 'webhooks_subscribed',
    text: `select account_id as "accountId", id as "webhookId", events from webhooks
            where account_id = any($1::uuid[]) and is_active and events && $2::text[]
            order by account_id, id
              for share`,
    values: [to.accountIds, to.events],
  })
  return rows
}

/**
 * Locks the webhook and returns it, or null. So those who end or refill its queue take turns, with each other and with
 * the sequencer.
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
