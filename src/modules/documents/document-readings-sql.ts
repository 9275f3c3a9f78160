/** The reading of a document: the text of its pages, encrypted, its fields, and the numbers by which it is found. */

import type { DocumentField, DocumentType } from '../../connectors/papers/document.ts'
import type { Db } from '../../db/database.ts'

interface OfDocument {
  readonly accountId: string
  readonly documentId: string
}

export async function replacePages(
  db: Db,
  of: OfDocument & { readonly pages: readonly { readonly page: number; readonly encryptedText: Buffer }[] },
): Promise<void> {
  await db.query({
    name: 'document_pages_delete',
    text: `delete from document_pages where account_id = $1 and document_id = $2`,
    values: [of.accountId, of.documentId],
  })
  await db.query({
    name: 'document_pages_insert',
    text: `insert into document_pages (account_id, document_id, page, sealed_words)
           select $1, $2, p.page, p.words from unnest($3::int[], $4::bytea[]) as p (page, words)`,
    values: [
      of.accountId,
      of.documentId,
      of.pages.map(({ page }) => page),
      of.pages.map(({ encryptedText }) => encryptedText),
    ],
  })
}

/** In order of the pages. */
export async function readEncryptedPages(
  db: Db,
  of: OfDocument,
): Promise<readonly { readonly page: number; readonly encryptedText: Buffer }[]> {
  const { rows } = await db.query<{ page: number; encryptedText: Buffer }>({
    name: 'document_pages_read',
    text: `select page, sealed_words as "encryptedText" from document_pages
            where account_id = $1 and document_id = $2 order by page`,
    values: [of.accountId, of.documentId],
  })
  return rows
}

export interface NewRepresentation extends OfDocument {
  readonly id: string
  readonly documentType: DocumentType
  readonly schemaVersion: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly fields: readonly DocumentField[]
  readonly encryptedFields: Buffer | null
  readonly isManual: boolean
  /** Null when a person wrote it. */
  readonly readerVersion: number | null
  readonly createdAt: string
}

export async function insertRepresentation(db: Db, made: NewRepresentation): Promise<void> {
  await db.query({
    name: 'document_representation_insert',
    text: `insert into document_representations (account_id, id, document_id, document_type, schema_version, payload,
                                                 fields, is_manual, reader_version, created_at, sealed_fields)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      made.accountId,
      made.id,
      made.documentId,
      made.documentType,
      made.schemaVersion,
      JSON.stringify(made.payload),
      JSON.stringify(made.fields),
      made.isManual,
      made.readerVersion,
      made.createdAt,
      made.encryptedFields,
    ],
  })
}

/** The id of what was read last; null when nothing was. What a person wrote is passed over. */
export async function findLastRead(db: Db, of: OfDocument): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'document_representation_last',
    text: `select id from document_representations
            where account_id = $1 and document_id = $2 and not is_manual order by created_at desc, id desc limit 1`,
    values: [of.accountId, of.documentId],
  })
  return rows[0]?.id ?? null
}

export const referenceKinds = ['bill_of_lading', 'booking', 'container', 'reference'] as const
export type ReferenceKind = (typeof referenceKinds)[number]

export interface Reference {
  readonly kind: ReferenceKind
  /** Letters and digits alone, in capitals. */
  readonly number: string
  /** As the document writes it. */
  readonly written: string
}

export async function replaceReferences(
  db: Db,
  of: OfDocument & { readonly references: readonly Reference[] },
): Promise<void> {
  await db.query({
    name: 'document_references_delete',
    text: `delete from document_references where account_id = $1 and document_id = $2`,
    values: [of.accountId, of.documentId],
  })
  await db.query({
    name: 'document_references_insert',
    text: `insert into document_references (account_id, document_id, kind, number, written)
           select $1, $2, r.kind, r.number, r.written
             from unnest($3::text[], $4::text[], $5::text[]) as r (kind, number, written)
           on conflict do nothing`,
    values: [
      of.accountId,
      of.documentId,
      of.references.map(({ kind }) => kind),
      of.references.map(({ number }) => number),
      of.references.map(({ written }) => written),
    ],
  })
}

export async function readReferences(db: Db, of: OfDocument): Promise<readonly Reference[]> {
  const { rows } = await db.query<Reference>({
    name: 'document_references_read',
    text: `select kind, number, written from document_references where account_id = $1 and document_id = $2`,
    values: [of.accountId, of.documentId],
  })
  return rows
}

/** Whether the account lets a language model read its documents. */
export async function readModelConsent(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await db.query<{ usesModel: boolean }>({
    name: 'document_settings_read',
    text: `select uses_model as "usesModel" from document_settings where account_id = $1`,
    values: [accountId],
  })
  return rows[0]?.usesModel ?? false
}

export async function putModelConsent(
  db: Db,
  of: { readonly accountId: string; readonly usesModel: boolean; readonly at: string },
): Promise<void> {
  await db.query({
    name: 'document_settings_put',
    text: `insert into document_settings (account_id, uses_model, changed_at) values ($1, $2, $3)
           on conflict (account_id) do update set uses_model = excluded.uses_model, changed_at = excluded.changed_at`,
    values: [of.accountId, of.usesModel, of.at],
  })
}
