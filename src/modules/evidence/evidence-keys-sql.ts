/** The keys with which evidence is signed: the private key encrypted, the public key for everybody. */

import type { Db } from '../../db/database.ts'
import type { PublicKey } from '../../platform/evidence/evidence-pack.ts'

export interface EvidenceKeyRow {
  readonly kid: string
  readonly encryptedKey: Buffer
  readonly publicKey: PublicKey
  readonly madeAt: string
}

/** Newest first. */
export async function listEvidenceKeys(db: Db): Promise<readonly EvidenceKeyRow[]> {
  const { rows } = await db.query<EvidenceKeyRow>({
    name: 'evidence_keys_list',
    text: `select kid, key_sealed as "encryptedKey", public_key as "publicKey", made_at as "madeAt"
             from evidence_keys order by made_at desc, kid`,
  })
  return rows
}

/** Writes the first key. Of several processes that make one at once, the key of one is stored. */
export async function insertFirstKey(db: Db, key: EvidenceKeyRow): Promise<void> {
  await db.query({
    name: 'evidence_key_insert_first',
    text: `with locked as (select pg_advisory_xact_lock(hashtextextended('evidence_keys', 0)))
           insert into evidence_keys (kid, key_sealed, public_key, made_at)
           select $1, $2, $3, $4 from locked where not exists (select from evidence_keys)`,
    values: [key.kid, key.encryptedKey, JSON.stringify(key.publicKey), key.madeAt],
  })
}
