/** Clients that registered themselves at the authorization server. */

import type { Db } from '../../db/database.ts'

export async function putOauthClient(
  db: Db,
  client: { readonly id: string; readonly encryptedMetadata: Buffer; readonly now: string },
): Promise<void> {
  await db.query({
    name: 'oauth_client_put',
    text: `insert into oauth_clients (id, metadata_sealed, created_at, last_used_at) values ($1, $2, $3, $3)
           on conflict (id) do update set metadata_sealed = excluded.metadata_sealed`,
    values: [client.id, client.encryptedMetadata, client.now],
  })
}

export async function findOauthClient(db: Db, id: string): Promise<{ readonly encryptedMetadata: Buffer } | null> {
  const { rows } = await db.query<{ encryptedMetadata: Buffer }>({
    name: 'oauth_client_find',
    text: `select metadata_sealed as "encryptedMetadata" from oauth_clients where id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}

export async function touchOauthClient(db: Db, client: { readonly id: string; readonly now: string }): Promise<void> {
  await db.query({
    name: 'oauth_client_touch',
    text: `update oauth_clients set last_used_at = $2 where id = $1`,
    values: [client.id, client.now],
  })
}

export async function deleteOauthClient(db: Db, id: string): Promise<void> {
  await db.query({
    name: 'oauth_client_delete',
    text: `delete from oauth_clients where id = $1`,
    values: [id],
  })
}

/** Deletes clients that were last used before then and that have no valid grant. Returns how many. */
export async function deleteUnusedOauthClients(
  db: Db,
  unused: { readonly before: string; readonly now: string; readonly limit: number },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'oauth_clients_delete_unused',
    text: `delete from oauth_clients where id in
             (select c.id from oauth_clients c
               where c.last_used_at < $1 and not exists
                 (select 1 from oauth_grants g
                   where g.client_id = c.id and g.revoked_at is null and g.expires_at > $2)
               limit $3)`,
    values: [unused.before, unused.now, unused.limit],
  })
  return rowCount ?? 0
}
