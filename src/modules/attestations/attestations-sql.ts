/** Attestations that the operator imported, for all accounts. */

import type { Db } from '../../db/database.ts'

/** As JSON, each checked before it was stored. */
export async function listImportedAttestations(db: Db): Promise<readonly unknown[]> {
  const { rows } = await db.query<{ content: unknown }>({
    name: 'attestations',
    text: `select content from attestations order by signature`,
  })
  return rows.map(({ content }) => content)
}

/** Returns false when it is there already. */
export async function insertAttestation(db: Db, attestation: { readonly signature: string }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'attestation_insert',
    text: `insert into attestations (signature, content) values ($1, $2) on conflict (signature) do nothing`,
    values: [attestation.signature, JSON.stringify(attestation)],
  })
  return rowCount === 1
}
