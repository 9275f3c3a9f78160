/** Which apps people have given access to their accounts. */

import type { Db } from '../../db/database.ts'

export interface OauthGrant {
  readonly accountId: string
  readonly id: string
  readonly userId: string
  readonly clientId: string
  readonly clientName: string
  /** Scheme, host and path. Older grants have only the host. */
  readonly redirectTarget: string
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly spansAccounts: boolean
  readonly createdAt: string
  readonly expiresAt: string
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
}

const columns = `g.account_id as "accountId", g.id, g.user_id as "userId", g.client_id as "clientId",
  g.client_name as "clientName", g.redirect_host as "redirectTarget", g.scopes, g.resources,
  g.spans_accounts as "spansAccounts", g.created_at as "createdAt", g.expires_at as "expiresAt",
  g.last_used_at as "lastUsedAt", g.revoked_at as "revokedAt"`

export async function insertOauthGrant(db: Db, grant: Omit<OauthGrant, 'lastUsedAt' | 'revokedAt'>): Promise<void> {
  await db.query({
    name: 'oauth_grant_insert',
    text: `insert into oauth_grants
             (account_id, id, user_id, client_id, client_name, redirect_host, scopes, resources, spans_accounts,
              created_at, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      grant.accountId,
      grant.id,
      grant.userId,
      grant.clientId,
      grant.clientName,
      grant.redirectTarget,
      grant.scopes,
      grant.resources,
      grant.spansAccounts,
      grant.createdAt,
      grant.expiresAt,
    ],
  })
}

export type ListedGrant = OauthGrant & { readonly companyName: string }

/** Valid grants of one person in all their accounts, newest first. */
export async function listOauthGrants(
  db: Db,
  of: { readonly userId: string; readonly now: string },
): Promise<readonly ListedGrant[]> {
  const { rows } = await db.query<ListedGrant>({
    name: 'oauth_grants_of_user',
    text: `select ${columns}, a.company_name as "companyName"
             from oauth_grants g join accounts a on a.id = g.account_id
            where g.user_id = $1 and g.revoked_at is null and g.expires_at > $2
            order by g.created_at desc, g.id`,
    values: [of.userId, of.now],
  })
  return rows
}

/**
 * Revokes the grant and returns it; null when it was revoked before, or when it is not that person's. `userId` null:
 * whoever's it is.
 */
export async function revokeOauthGrant(
  db: Db,
  which: { readonly id: string; readonly userId: string | null; readonly now: string },
): Promise<OauthGrant | null> {
  const { rows } = await db.query<OauthGrant>({
    name: 'oauth_grant_revoke',
    text: `update oauth_grants g set revoked_at = $3
            where g.id = $1 and ($2::uuid is null or g.user_id = $2) and g.revoked_at is null
           returning ${columns}`,
    values: [which.id, which.userId, which.now],
  })
  return rows[0] ?? null
}

/** Writes at most once a minute for each grant. */
export async function touchOauthGrant(db: Db, grant: { readonly id: string; readonly now: string }): Promise<void> {
  await db.query({
    name: 'oauth_grant_touch',
    text: `update oauth_grants set last_used_at = $2
            where id = $1 and (last_used_at is null or last_used_at < $2::timestamptz - interval '1 minute')`,
    values: [grant.id, grant.now],
  })
}

export interface TokenReading {
  readonly grantId: string
  readonly clientId: string
  readonly userId: string
  readonly audience: string | null
  readonly scope: string | null
  readonly lastUsedAt: string | null
  /** The account of the grant. Where the grant spans accounts, the requested account. */
  readonly accountId: string
  /** Null when the person is not a member of the account, or no longer. */
  readonly role: string | null
  readonly companyName: string
  readonly isSandbox: boolean
}

/**
 * An access token with its grant and the present role of the person in the account, in one statement. Null when the
 * token or the grant has ended.
 */
export async function findOauthToken(
  db: Db,
  token: { readonly idHmac: Buffer; readonly now: string; readonly accountId: string | null },
): Promise<TokenReading | null> {
  const { rows } = await db.query<TokenReading>({
    name: 'oauth_token_find',
    text: `select g.id as "grantId", g.client_id as "clientId", g.user_id as "userId", e.audience, e.scope,
                  g.last_used_at as "lastUsedAt", a.id as "accountId", m.role,
                  a.company_name as "companyName", a.is_fiction as "isSandbox"
             from oauth_entries e
             join oauth_grants g on g.id = e.grant_id and g.revoked_at is null and g.expires_at > $2
             join accounts a on a.id = case when g.spans_accounts then coalesce($3::uuid, g.account_id) else g.account_id end
             left join memberships m on m.account_id = a.id and m.user_id = g.user_id
            where e.kind = 'AccessToken' and e.id_hmac = $1 and e.expires_at > $2`,
    values: [token.idHmac, token.now, token.accountId],
  })
  return rows[0] ?? null
}

/** Deletes grants that ended long ago. What was done under them is in the audit log. */
export async function deleteOldOauthGrants(
  db: Db,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'oauth_grants_delete_old',
    text: `delete from oauth_grants where (account_id, id) in
             (select account_id, id from oauth_grants where coalesce(revoked_at, expires_at) < $1 limit $2)`,
    values: [before, limit],
  })
  return rowCount ?? 0
}
