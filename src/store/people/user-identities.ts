/** Who people are at another server by which they sign in. */

import type { Db } from '../database.ts'

export interface IdentityKey {
  readonly issuer: string
  readonly subject: string
}

export async function findIdentity(db: Db, { issuer, subject }: IdentityKey): Promise<string | null> {
  const { rows } = await db.query<{ userId: string }>({
    name: 'user_identity_find',
    text: `select user_id as "userId" from user_identities where issuer = $1 and subject = $2`,
    values: [issuer, subject],
  })
  return rows[0]?.userId ?? null
}

/** False when somebody has this identity already. */
export async function insertIdentity(
  db: Db,
  identity: IdentityKey & { readonly userId: string; readonly createdAt: string },
): Promise<boolean> {
  const { issuer, subject, userId, createdAt } = identity
  const { rowCount } = await db.query({
    name: 'user_identity_insert',
    text: `insert into user_identities (issuer, subject, user_id, created_at) values ($1, $2, $3, $4)
           on conflict do nothing`,
    values: [issuer, subject, userId, createdAt],
  })
  return rowCount === 1
}
