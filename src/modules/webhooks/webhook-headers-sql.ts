/** The headers that webhooks request, as they are stored: each value is encrypted, or in clear in older rows. */

import type { Db } from '../../db/database.ts'

export type StoredHeader =
  | { readonly name: string; readonly sealed: string }
  | { readonly name: string; readonly value: string }

export interface StoredHeaders {
  readonly accountId: string
  readonly id: string
  readonly headers: readonly StoredHeader[]
}

/**
 * Webhooks of any account that have a value in clear. All webhooks are read: they are few, and this runs only at start.
 */
export async function listUnencryptedHeaders(db: Db, limit: number): Promise<readonly StoredHeaders[]> {
  const { rows } = await db.query<StoredHeaders>({
    name: 'webhook_headers_unsealed',
    text: `select account_id as "accountId", id, headers from webhooks
            where headers is not null and jsonb_path_exists(headers, '$[*].value')
            order by account_id, id limit $1`,
    values: [limit],
  })
  return rows
}

/** Returns false when the headers have changed meanwhile. */
export async function saveEncryptedHeaders(
  db: Db,
  of: {
    readonly accountId: string
    readonly id: string
    readonly before: readonly StoredHeader[]
    readonly after: readonly StoredHeader[]
  },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'webhook_headers_seal',
    text: `update webhooks set headers = $4 where account_id = $1 and id = $2 and headers = $3::jsonb`,
    values: [of.accountId, of.id, JSON.stringify(of.before), JSON.stringify(of.after)],
  })
  return rowCount === 1
}
