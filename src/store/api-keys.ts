/** API keys: written once as an HMAC, found by it; the key itself is never stored. */

import type { Db } from './database.ts'

export interface ApiKeyReading {
  readonly id: string
  readonly accountId: string
  readonly companyName: string
  readonly isFiction: boolean
  readonly scopes: readonly string[]
  readonly lastUsedAt: string | null
}

/** Null for a key that was never given out, is revoked or has run out. */
export async function findApiKey(
  db: Db,
  key: { readonly hmac: Buffer; readonly now: string },
): Promise<ApiKeyReading | null> {
  const { rows } = await db.query<ApiKeyReading>({
    name: 'api_key_find',
    text: `select k.id, k.account_id as "accountId", a.company_name as "companyName", a.is_fiction as "isFiction",
                  k.scopes, k.last_used_at as "lastUsedAt"
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
  },
): Promise<void> {
  await db.query({
    name: 'api_key_insert',
    text: `insert into api_keys (account_id, id, name, prefix, last_four, key_hmac, scopes, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [key.accountId, key.id, key.name, key.prefix, key.lastFour, key.hmac, key.scopes, key.createdAt],
  })
}

/** Writes at most once a minute for each key, however many processes ask. */
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
