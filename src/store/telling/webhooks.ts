/** Webhooks: where an account wants to be told, of what, and the secrets that it checks our signatures with. */

import type { Db } from '../database.ts'
import type { StoredHeader } from './webhook-headers.ts'

/** As its owner gives it. */
export interface WebhookHeader {
  readonly name: string
  readonly value: string
}

export interface Webhook {
  readonly accountId: string
  readonly id: string
  readonly url: string
  readonly isActive: boolean
  /** Names, and the patterns that some of them were written as. */
  readonly events: readonly string[]
  readonly headers: readonly StoredHeader[] | null
  /** Of what it is sent; null for the installation's. */
  readonly contentType: string | null
  /** Under which names it is sent the plain signature; null for the installation's. */
  readonly signatureHeaders: readonly string[] | null
  /** Why it was switched off by us; null when it was not. */
  readonly disabledReason: string | null
  /** Since when nothing but failures has come back. */
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

/** How many there are. Until the transaction ends, nobody else who counts this way gets an answer. */
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

/** Writes what its owner may change; switched on again, it has failed never and was disabled for nothing. */
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

/** Its notifications, secrets and logs go with it; false when there was none. */
export async function deleteWebhook(db: Db, accountId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'webhook_delete',
    text: `delete from webhooks where account_id = $1 and id = $2`,
    values: [accountId, id],
  })
  return rowCount === 1
}

/** Gives the secrets that have no end yet this one; returns how many there are. */
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

/** The secrets that are live at `now`, the oldest first. */
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
 * The active webhooks that subscribe to one of these, names or patterns, locked so that none is switched off before the notifications
 * made for it have committed. Taken before any lock on notifications; who switches a webhook off does the same.
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
 * Makes those who end or refill the webhook's queue take turns, with each other and with the sequencer; the webhook
 * as it is then, or null.
 */
export async function lockWebhook(db: Db, accountId: string, id: string): Promise<Webhook | null> {
  const { rows } = await db.query<Webhook>({
    name: 'webhook_lock',
    text: `select ${columns} from webhooks where account_id = $1 and id = $2 for no key update`,
    values: [accountId, id],
  })
  return rows[0] ?? null
}

/** Switches a webhook off, once; false when it was off already. */
export async function disableWebhook(
  db: Db,
  webhook: {
    readonly accountId: string
    readonly id: string
    readonly reason: string
    readonly now: string
    /** Only when nothing but failures has come back since this instant or longer; null: whatever came back. */
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

/** Remembers the first of a run of failures; a success (`since` null) ends the run. */
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
