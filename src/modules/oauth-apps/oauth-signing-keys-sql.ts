/**
 * The keys of the authorization server, one generation after the other: encrypted, with the time from which each signs.
 */

import type { Db } from '../../db/database.ts'

export interface SigningKeyRow {
  readonly generation: number
  readonly encryptedKey: Buffer
  readonly madeAt: string
  readonly signsFrom: string
}

/** Oldest first. */
export async function listSigningKeys(db: Db): Promise<readonly SigningKeyRow[]> {
  const { rows } = await db.query<SigningKeyRow>({
    name: 'oauth_signing_keys_list',
    text: `select generation, key_sealed as "encryptedKey", made_at as "madeAt", signs_from as "signsFrom"
             from oauth_signing_keys order by generation`,
  })
  return rows
}

/** Returns false when another process has made this generation. Then that process's key is the right one. */
export async function insertSigningKey(db: Db, key: SigningKeyRow): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'oauth_signing_key_insert',
    text: `insert into oauth_signing_keys (generation, key_sealed, made_at, signs_from) values ($1, $2, $3, $4)
           on conflict (generation) do nothing`,
    values: [key.generation, key.encryptedKey, key.madeAt, key.signsFrom],
  })
  return rowCount === 1
}

/** Returns how many were deleted. */
export async function deleteSigningKeysBefore(
  db: Db,
  { generation }: { readonly generation: number },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'oauth_signing_keys_delete',
    text: `delete from oauth_signing_keys where generation < $1`,
    values: [generation],
  })
  return rowCount ?? 0
}
