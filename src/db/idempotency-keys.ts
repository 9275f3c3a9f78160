/** POSTs that were sent with an Idempotency-Key: who runs one, and what was answered (docs/decisions/0015). */

import type { Db } from './database.ts'

export interface KeyName {
  readonly accountId: string
  readonly route: string
  readonly key: string
}

/** The row as it is stored. `status` is null while the first request runs, or when that request was cut off. */
export interface KeyReading {
  readonly fingerprint: Buffer
  readonly scopes: readonly string[]
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>> | null
  readonly encryptedBody: Buffer | null
}

/**
 * Makes the caller the one that runs the request: when the key is new, when its 24 hours are over, or when the lease of
 * an earlier caller ran out. Returns since when the key exists (ISO), which an earlier lease that ran out does not
 * change; null when another caller has the key. It is one statement, so that of two callers at the same time only one
 * gets the key.
 */
export async function leaseKey(
  db: Db,
  name: KeyName,
  lease: {
    readonly fingerprint: Buffer
    readonly scopes: readonly string[]
    readonly token: string
    readonly now: string
    readonly until: string
    /** Keys that were made before this have expired. */
    readonly expired: string
  },
): Promise<string | null> {
  const { rows } = await db.query<{ since: string }>({
    name: 'idempotency_key_lease',
    text: `insert into idempotency_keys (account_id, route, key, fingerprint, scopes, lease_token, leased_until, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8)
           on conflict (account_id, route, key)
           do update set fingerprint = excluded.fingerprint, scopes = excluded.scopes, lease_token = excluded.lease_token,
                         leased_until = excluded.leased_until,
                         created_at = case when idempotency_keys.created_at <= $9 then excluded.created_at
                                           else idempotency_keys.created_at end,
                         status = null, headers = null, body_sealed = null
            where idempotency_keys.created_at <= $9
               or (idempotency_keys.status is null and idempotency_keys.leased_until <= $8
                   and idempotency_keys.fingerprint = excluded.fingerprint)
           returning created_at as since`,
    values: [
      name.accountId,
      name.route,
      name.key,
      lease.fingerprint,
      lease.scopes,
      lease.token,
      lease.until,
      lease.now,
      lease.expired,
    ],
  })
  return rows[0]?.since ?? null
}

export async function findKey(db: Db, name: KeyName): Promise<KeyReading | null> {
  const { rows } = await db.query<KeyReading>({
    name: 'idempotency_key_find',
    text: `select fingerprint, scopes, status, headers, body_sealed as "encryptedBody"
             from idempotency_keys where account_id = $1 and route = $2 and key = $3`,
    values: [name.accountId, name.route, name.key],
  })
  return rows[0] ?? null
}

/** Returns false when somebody else has the lease by now. */
export async function renewLease(
  db: Db,
  name: KeyName,
  lease: { readonly token: string; readonly until: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'idempotency_key_renew',
    text: `update idempotency_keys set leased_until = $5
            where account_id = $1 and route = $2 and key = $3 and lease_token = $4 and status is null`,
    values: [name.accountId, name.route, name.key, lease.token, lease.until],
  })
  return (rowCount ?? 0) > 0
}

/**
 * Returns false when somebody else has the lease by now. Then everything that was done under it must be rolled back.
 */
export async function storeKeyAnswer(
  db: Db,
  name: KeyName,
  answer: {
    readonly token: string
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly encryptedBody: Buffer
  },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'idempotency_key_answer',
    text: `update idempotency_keys
              set status = $5, headers = $6, body_sealed = $7, lease_token = null, leased_until = null
            where account_id = $1 and route = $2 and key = $3 and lease_token = $4`,
    values: [
      name.accountId,
      name.route,
      name.key,
      answer.token,
      answer.status,
      JSON.stringify(answer.headers),
      answer.encryptedBody,
    ],
  })
  return (rowCount ?? 0) > 0
}

/** Deletes the key as if it had never been sent, because its request was refused or failed. */
export async function dropKey(db: Db, name: KeyName, token: string): Promise<void> {
  await db.query({
    name: 'idempotency_key_drop',
    text: `delete from idempotency_keys where account_id = $1 and route = $2 and key = $3 and lease_token = $4`,
    values: [name.accountId, name.route, name.key, token],
  })
}

/** Deletes one batch of expired keys. Returns how many. */
export async function deleteOldKeys(db: Db, of: { readonly before: string; readonly limit: number }): Promise<number> {
  const { rowCount } = await db.query({
    name: 'idempotency_keys_delete',
    text: `delete from idempotency_keys
            where (account_id, route, key) in (
              select account_id, route, key from idempotency_keys where created_at <= $1
               order by created_at limit $2 for update skip locked)`,
    values: [of.before, of.limit],
  })
  return rowCount ?? 0
}
