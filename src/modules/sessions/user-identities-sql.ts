/** Who people are at another server by which they sign in. */

import type { Db } from '../../db/database.ts'

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

/** False when somebody has this identity already, and when the person has another one of this issuer. */
export async function insertIdentity(
  db: Db,
  identity: IdentityKey & { readonly userId: string; readonly createdAt: string },
): Promise<boolean> {
  const { issuer, subject, userId, createdAt } = identity
  // Of two identities that come at the same moment, only one is bound.
  await db.query({
    name: 'user_identity_lock',
    text: `select from users where id = $1 for update`,
    values: [userId],
  })
  const { rowCount } = await db.query({
    name: 'user_identity_insert',
    text: `insert into user_identities (issuer, subject, user_id, created_at)
           select $1, $2, $3, $4
            where not exists (select from user_identities where issuer = $1 and user_id = $3)
           on conflict do nothing`,
    values: [issuer, subject, userId, createdAt],
  })
  return rowCount === 1
}
