/** The secrets of webhooks, encrypted. While one is being changed, two are valid. */

import type { Db } from '../../db/database.ts'

export interface EncryptedSecret {
  readonly webhookId: string
  readonly sealed: Buffer
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
    values: [secret.accountId, secret.webhookId, secret.id, secret.sealed, secret.createdAt, secret.expiresAt],
  })
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
): Promise<readonly EncryptedSecret[]> {
  const { rows } = await db.query<EncryptedSecret>({
    name: 'webhook_secrets_live',
    text: `select webhook_id as "webhookId", secret_sealed as sealed from webhook_secrets
            where account_id = any($1::uuid[]) and webhook_id = any($2::uuid[])
              and (expires_at is null or expires_at > $3)
            order by created_at, id`,
    values: [of.accountIds, of.webhookIds, of.now],
  })
  return rows
}
