/** The last word of each document. */

import type { Db } from '../database.ts'

export interface LastWord {
  readonly version: number
  /** On the clock of the account's journeys. */
  readonly saidAt: string
  readonly sealedWord: Buffer
}

/** Null for a document that has said nothing yet. */
export async function readLastWord(
  db: Db,
  of: { readonly accountId: string; readonly documentId: string },
): Promise<LastWord | null> {
  const { rows } = await db.query<LastWord>({
    name: 'document_word_read',
    text: `select version, said_at as "saidAt", sealed_word as "sealedWord" from document_words
            where account_id = $1 and document_id = $2`,
    values: [of.accountId, of.documentId],
  })
  return rows[0] ?? null
}

/** Returns false when another word than that before this one was said meanwhile. */
export async function noteWord(
  db: Db,
  of: LastWord & { readonly accountId: string; readonly documentId: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'document_word_note',
    text: `insert into document_words (account_id, document_id, version, said_at, sealed_word)
           values ($1, $2, $3, $4, $5)
           on conflict (account_id, document_id) do update
              set version = excluded.version, said_at = excluded.said_at, sealed_word = excluded.sealed_word
            where document_words.version = excluded.version - 1`,
    values: [of.accountId, of.documentId, of.version, of.saidAt, of.sealedWord],
  })
  return rowCount === 1
}
