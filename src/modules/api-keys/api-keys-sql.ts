/** API keys: stored as an HMAC and found by it. The key itself is never stored. */

import type { Db } from '../../db/database.ts'

export interface ApiKeyReading {
  readonly id: string
  readonly accountId: string
  readonly companyName: string
  readonly isSandbox: boolean
  readonly scopes: readonly string[]
  readonly lastUsedAt: string | null
  readonly kind: 'secret' | 'publishable'
  /** For a publishable key: the origins from which it may be used. */
  readonly allowedOrigins: readonly string[]
}

/** Null for a key that never existed, is revoked or has expired. */
export async function findApiKey(
  db: Db,
  key: { readonly hmac: Buffer; readonly now: string },
): Promise<ApiKeyReading | null> {
  const { rows } = await db.query<ApiKeyReading>({
    name: 'api_key_find',
    text: `select k.id, k.account_id as "accountId", a.company_name as "companyName", a.is_fiction as "isSandbox",
                  k.scopes, k.last_used_at as "lastUsedAt", k.kind, k.allowed_origins as "allowedOrigins"
             from api_keys k join accounts a on a.id = k.account_id
            where k.key_hmac = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)`,
    values: [key.hmac, key.now],
  })
  return rows[0] ?? null
}

export async function insertApiKey(
  db: Db,
  key: {
    readonly accountId: string
    readonly id: string
    readonly name: string
    readonly prefix: string
    readonly lastFour: string
    readonly hmac: Buffer
    readonly scopes: readonly string[]
    readonly createdAt: string
    /** When left out: `secret`, without a creator and without an end. */
    readonly kind?: 'secret' | 'publishable'
    readonly allowedOrigins?: readonly string[]
    readonly createdBy?: string | null
    readonly expiresAt?: string | null
  },
): Promise<void> {
  await db.query({
    name: 'api_key_insert',
    text: `insert into api_keys (account_id, id, name, prefix, last_four, key_hmac, scopes, created_at, kind,
                                 allowed_origins, created_by, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    values: [
      key.accountId,
      key.id,
      key.name,
      key.prefix,
      key.lastFour,
      key.hmac,
      key.scopes,
      key.createdAt,
      key.kind ?? 'secret',
      key.allowedOrigins ?? [],
      key.createdBy ?? null,
      key.expiresAt ?? null,
    ],
  })
}

/** What may be shown of a key. The key itself never is. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly lastFour: string
  readonly scopes: readonly string[]
  readonly kind: 'secret' | 'publishable'
  readonly allowedOrigins: readonly string[]
  readonly createdAt: string
  /** The name of the person who made it; null when it was the operator. */
  readonly createdByName: string | null
  readonly lastUsedAt: string | null
  readonly expiresAt: string | null
}

/** Keys that were not deleted, newest first. */
export async function listApiKeys(db: Db, { accountId }: { readonly accountId: string }): Promise<readonly ApiKey[]> {
  const { rows } = await db.query<ApiKey>({
    name: 'api_keys_list',
    text: `select k.id, k.name, k.prefix, k.last_four as "lastFour", k.scopes, k.kind,
                  k.allowed_origins as "allowedOrigins", k.created_at as "createdAt", u.name as "createdByName",
                  k.last_used_at as "lastUsedAt", k.expires_at as "expiresAt"
             from api_keys k left join users u on u.id = k.created_by
            where k.account_id = $1 and k.revoked_at is null
            order by k.created_at desc, k.id`,
    values: [accountId],
  })
  return rows
}

/** Returns the name of the key; null when the account has no such key, or it was deleted already. */
export async function revokeApiKey(
  db: Db,
  key: { readonly accountId: string; readonly id: string; readonly now: string },
): Promise<{ readonly name: string } | null> {
  const { rows } = await db.query<{ name: string }>({
    name: 'api_key_revoke',
    text: `update api_keys set revoked_at = $3 where account_id = $1 and id = $2 and revoked_at is null returning name`,
    values: [key.accountId, key.id, key.now],
  })
  return rows[0] ?? null
}

/** Writes at most once a minute for each key, for any number of processes. */
export async function touchApiKey(
  db: Db,
  key: { readonly accountId: string; readonly id: string; readonly now: string },
): Promise<void> {
  await db.query({
    name: 'api_key_touch',
    text: `update api_keys set last_used_at = $3
            where account_id = $1 and id = $2
              and (last_used_at is null or last_used_at < $3::timestamptz - interval '1 minute')`,
    values: [key.accountId, key.id, key.now],
  })
}
