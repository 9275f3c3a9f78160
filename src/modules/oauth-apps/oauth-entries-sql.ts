/**
 * Codes, tokens and sign-ins under way of the authorization server. Each is found by the HMAC of what its holder has.
 */

import type { Db } from '../../db/database.ts'

export interface OauthEntry {
  readonly encryptedPayload: Buffer
  readonly grantId: string | null
  readonly consumedAt: string | null
}

export interface NewOauthEntry {
  readonly kind: string
  readonly idHmac: Buffer
  readonly encryptedPayload: Buffer
  readonly grantId: string | null
  readonly audience: string | null
  readonly scope: string | null
  readonly expiresAt: string | null
}

interface OauthEntryKey {
  readonly kind: string
  readonly idHmac: Buffer
}

export async function putOauthEntry(db: Db, entry: NewOauthEntry): Promise<void> {
  await db.query({
    name: 'oauth_entry_put',
    text: `insert into oauth_entries (kind, id_hmac, payload_sealed, grant_id, audience, scope, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (kind, id_hmac) do update
              set payload_sealed = excluded.payload_sealed, grant_id = excluded.grant_id,
                  audience = excluded.audience, scope = excluded.scope, expires_at = excluded.expires_at`,
    values: [
      entry.kind,
      entry.idHmac,
      entry.encryptedPayload,
      entry.grantId,
      entry.audience,
      entry.scope,
      entry.expiresAt,
    ],
  })
}

export async function findOauthEntry(db: Db, key: OauthEntryKey): Promise<OauthEntry | null> {
  const { rows } = await db.query<OauthEntry>({
    name: 'oauth_entry_find',
    text: `select payload_sealed as "encryptedPayload", grant_id as "grantId", consumed_at as "consumedAt"
             from oauth_entries where kind = $1 and id_hmac = $2`,
    values: [key.kind, key.idHmac],
  })
  return rows[0] ?? null
}

/**
 * Returns true for only one of all callers, at whatever moment and in whatever process: the lock of the row decides.
 */
export async function consumeOauthEntry(db: Db, key: OauthEntryKey & { readonly now: string }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'oauth_entry_consume',
    text: `update oauth_entries set consumed_at = $3 where kind = $1 and id_hmac = $2 and consumed_at is null`,
    values: [key.kind, key.idHmac, key.now],
  })
  return rowCount === 1
}

export async function deleteOauthEntry(db: Db, key: OauthEntryKey): Promise<void> {
  await db.query({
    name: 'oauth_entry_delete',
    text: `delete from oauth_entries where kind = $1 and id_hmac = $2`,
    values: [key.kind, key.idHmac],
  })
}

/**
 * Deletes everything that was given out under a grant, the grant's own entry too; with `kind`, only entries of that
 * kind.
 */
export async function deleteOauthEntriesOfGrant(
  db: Db,
  of: { readonly grantId: string; readonly kind: string | null },
): Promise<void> {
  await db.query({
    name: 'oauth_entries_of_grant_delete',
    text: `delete from oauth_entries where grant_id = $1 and ($2::text is null or kind = $2)`,
    values: [of.grantId, of.kind],
  })
}

export async function deleteOldOauthEntries(
  db: Db,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'oauth_entries_delete_old',
    text: `delete from oauth_entries where (kind, id_hmac) in
             (select kind, id_hmac from oauth_entries where expires_at < $1 limit $2 for update skip locked)`,
    values: [before, limit],
  })
  return rowCount ?? 0
}
