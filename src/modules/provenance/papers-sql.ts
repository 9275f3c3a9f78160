/** Readings of documents with the names of these, as proof of their statements. */

import type { DocumentField } from '../../connectors/papers/document.ts'
import type { Db } from '../../db/database.ts'

export interface PaperReading {
  readonly documentId: string
  readonly documentName: string
  readonly fields: readonly DocumentField[]
  readonly isManual: boolean
  readonly createdAt: string
}

/** The earliest first. Of deleted documents too: their statements are on record. */
export async function readPapers(
  db: Db,
  of: { readonly accountId: string; readonly documentIds: readonly string[] },
): Promise<readonly PaperReading[]> {
  const { rows } = await db.query<PaperReading>({
    name: 'document_papers_read',
    text: `select d.id as "documentId", d.name as "documentName", r.fields, r.is_manual as "isManual",
                  r.created_at as "createdAt"
             from documents d
             join document_representations r on r.account_id = d.account_id and r.document_id = d.id
            where d.account_id = $1 and d.id = any($2::uuid[])
            order by r.created_at, r.id`,
    values: [of.accountId, of.documentIds],
  })
  return rows
}
