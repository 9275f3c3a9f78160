/** The words of documents by which claims stand, and the names of the documents. */

import type { Db } from '../database.ts'
import { type KeptBody, readKeptBody } from '../inbound/kept-body.ts'

export interface WordOfClaim {
  readonly subjectId: string
  readonly deliveryKey: string
  readonly snapshotId: string
  readonly body: KeptBody
  readonly recordedAt: string
}

/** The words that these deliveries brought. Those of another account, and those that are gone, are left out. */
export async function wordsOfClaims(
  db: Db,
  of: {
    readonly accountId: string
    readonly deliveries: readonly { readonly subjectId: string; readonly deliveryKey: string }[]
  },
): Promise<readonly WordOfClaim[]> {
  const { rows } = await db.query<
    Omit<WordOfClaim, 'body'> & { readonly body: Buffer | null; readonly sealedBody: Buffer | null }
  >({
    name: 'document_words_of_claims',
    text: `select m.subject_id as "subjectId", m.delivery_key as "deliveryKey", n.id as "snapshotId", n.body,
                  n.sealed_body as "sealedBody", n.recorded_at as "recordedAt"
             from unnest($2::uuid[], $3::text[]) as d (subject_id, delivery_key)
             join mentions m on m.subject_id = d.subject_id and m.delivery_key = d.delivery_key and m.account_id = $1
             join kept_snapshots n on n.id = m.snapshot_id`,
    values: [
      of.accountId,
      of.deliveries.map(({ subjectId }) => subjectId),
      of.deliveries.map(({ deliveryKey }) => deliveryKey),
    ],
  })
  return rows.flatMap(({ body, sealedBody, ...row }) => {
    const kept = readKeptBody({ body, sealedBody })
    return kept === null ? [] : [{ ...row, body: kept }]
  })
}

/** By id. A document that was deleted keeps its name. */
export async function namesOfDocuments(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ id: string; name: string }>({
    name: 'document_names',
    text: `select id, name from documents where account_id = $1 and id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
  return new Map(rows.map(({ id, name }) => [id, name]))
}
