/** Documents: files that were sent, their kind, and the progress of their reading. */

import type { DocumentType, UnreadableReason } from '../../connectors/papers/document.ts'
import type { Db } from '../../db/database.ts'
import { acquirePerAccount, type RowOfAccount } from '../../db/distributed/acquire-per-account.ts'

export const documentSources = ['upload', 'api', 'email', 'split_document'] as const
export type DocumentSource = (typeof documentSources)[number]

export const documentStates = ['waiting', 'read', 'failed'] as const
export type DocumentState = (typeof documentStates)[number]

/**
 * Why nothing could be read from it: the reason of the reader, or that its reading ended the program again and again.
 */
export type FailureReason = UnreadableReason

export const modelStates = ['answered', 'waiting', 'failed'] as const

/** Why the language model did not answer, or not usably. */
export const modelReasons = ['timeout', 'unreachable', 'rate_limited', 'refused', 'failing', 'unusable'] as const
export type ModelReason = (typeof modelReasons)[number]

/** The outcome of the question to the language model. `waiting`: the model is queried again. */
export type ModelState =
  | { readonly state: 'answered' }
  | { readonly state: 'waiting' | 'failed'; readonly reason: ModelReason; readonly tries: number }

/** A shipment to which the document may belong although no number is certain. */
export interface Candidate {
  readonly shipmentId: string
  /** `ambiguous`: a number of the document fits several. `customer`: a party of the document is its customer. */
  readonly because: 'ambiguous' | 'customer'
  readonly detail: string
}

export interface DocumentRow {
  readonly accountId: string
  readonly id: string
  readonly name: string
  readonly source: DocumentSource
  readonly userId: string | null
  readonly addedBy: string
  readonly emailSubmissionId: string | null
  readonly fileName: string
  readonly fileContentType: string | null
  readonly fileSizeBytes: number
  /** Null once the bytes are deleted. */
  readonly fileId: string | null
  readonly documentType: DocumentType
  readonly documentTypeManual: DocumentType | null
  readonly classificationNotes: string | null
  readonly extractedDataManual: Readonly<Record<string, unknown>> | null
  readonly state: DocumentState
  readonly failureReason: FailureReason | null
  readonly failureDetail: string | null
  readonly pageCount: number | null
  /** The file whose pages are stored; null while none are. */
  readonly pagesOf: string | null
  readonly representationId: string | null
  readonly candidates: readonly Candidate[]
  /** Null where it was not queried. */
  readonly model: ModelState | null
  /** The rules recognised no kind, and the model gave this one. */
  readonly isKindByModel: boolean
  readonly createdAt: string
  readonly updatedAt: string
  readonly discardedAt: string | null
}

export const documentColumns = `account_id as "accountId", id, name, source, user_id as "userId", added_by as "addedBy",
  email_submission_id as "emailSubmissionId", file_name as "fileName", file_content_type as "fileContentType",
  file_size_bytes as "fileSizeBytes", file_id as "fileId", document_type as "documentType",
  document_type_manual as "documentTypeManual", classification_notes as "classificationNotes",
  extracted_data_manual as "extractedDataManual", state, failure_reason as "failureReason",
  failure_detail as "failureDetail", page_count as "pageCount", pages_of as "pagesOf",
  representation_id as "representationId", candidates,
  case when model_state is null then null when model_state = 'answered' then json_build_object('state', model_state)
       else json_build_object('state', model_state, 'reason', model_reason, 'tries', model_tries) end as model,
  is_kind_by_model as "isKindByModel", created_at as "createdAt", updated_at as "updatedAt",
  discarded_at as "discardedAt"`

export interface DocumentKey {
  readonly accountId: string
  readonly id: string
}

export interface NewDocument {
  readonly accountId: string
  readonly id: string
  readonly name: string
  readonly source: DocumentSource
  readonly userId: string | null
  readonly addedBy: string
  readonly emailSubmissionId: string | null
  readonly fileName: string
  readonly fileContentType: string | null
  readonly fileSizeBytes: number
  readonly fileId: string
  readonly contentHash: Buffer
  readonly documentTypeManual: DocumentType | null
  readonly createdAt: string
}

/**
 * False when the account has a document of the same bytes. Of two that are sent at the same moment, the second waits
 * here for the first to commit.
 */
export async function insertDocument(db: Db, document: NewDocument): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'document_insert',
    text: `insert into documents (account_id, id, name, source, user_id, added_by, email_submission_id, file_name,
                                  file_words, file_content_type, file_size_bytes, file_id, content_hash,
                                  document_type_manual, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)
           on conflict (account_id, content_hash) where discarded_at is null do nothing`,
    values: [
      document.accountId,
      document.id,
      document.name,
      document.source,
      document.userId,
      document.addedBy,
      document.emailSubmissionId,
      document.fileName,
      extractWords(document.fileName),
      document.fileContentType,
      document.fileSizeBytes,
      document.fileId,
      document.contentHash,
      document.documentTypeManual,
      document.createdAt,
    ],
  })
  return rowCount === 1
}

/** The words of a text in small letters, each once: unbroken sequences of letters and digits of any script. */
export function extractWords(text: string): readonly string[] {
  return [
    ...new Set(
      text
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [],
    ),
  ]
}

/** The document of these bytes; null when the account has none that is not deleted. */
export async function findSameDocument(
  db: Db,
  of: { readonly accountId: string; readonly contentHash: Buffer },
): Promise<{ readonly id: string; readonly name: string } | null> {
  const { rows } = await db.query<{ id: string; name: string }>({
    name: 'document_same',
    text: `select id, name from documents where account_id = $1 and content_hash = $2 and discarded_at is null`,
    values: [of.accountId, of.contentHash],
  })
  return rows[0] ?? null
}

/** Also one that is deleted. */
export async function findDocument(db: Db, key: DocumentKey): Promise<DocumentRow | null> {
  const { rows } = await db.query<DocumentRow>({
    name: 'document_find',
    text: `select ${documentColumns} from documents where account_id = $1 and id = $2`,
    values: [key.accountId, key.id],
  })
  return rows[0] ?? null
}

/** Locked until the transaction ends. Also one that is deleted. */
export async function lockDocument(db: Db, key: DocumentKey): Promise<DocumentRow | null> {
  const { rows } = await db.query<DocumentRow>({
    name: 'document_lock',
    text: `select ${documentColumns} from documents where account_id = $1 and id = $2 for update`,
    values: [key.accountId, key.id],
  })
  return rows[0] ?? null
}

/** What people and readings change. */
export async function updateDocument(db: Db, document: DocumentRow): Promise<void> {
  const { model } = document
  const unanswered = model === null || model.state === 'answered' ? null : model
  await db.query({
    name: 'document_update',
    text: `update documents
              set name = $3, file_content_type = $4, file_size_bytes = $5, file_id = $6, document_type = $7,
                  document_type_manual = $8, classification_notes = $9, extracted_data_manual = $10, state = $11,
                  failure_reason = $12, failure_detail = $13, page_count = $14, pages_of = $15,
                  representation_id = $16, candidates = $17, updated_at = $18, discarded_at = $19, model_state = $20,
                  model_reason = $21, model_tries = $22, is_kind_by_model = $23
            where account_id = $1 and id = $2`,
    values: [
      document.accountId,
      document.id,
      document.name,
      document.fileContentType,
      document.fileSizeBytes,
      document.fileId,
      document.documentType,
      document.documentTypeManual,
      document.classificationNotes,
      document.extractedDataManual === null ? null : JSON.stringify(document.extractedDataManual),
      document.state,
      document.failureReason,
      document.failureDetail,
      document.pageCount,
      document.pagesOf,
      document.representationId,
      JSON.stringify(document.candidates),
      document.updatedAt,
      document.discardedAt,
      model?.state ?? null,
      unanswered?.reason ?? null,
      unanswered?.tries ?? 0,
      document.isKindByModel,
    ],
  })
}

/**
 * Of documents that were deleted before this: their files are to be deleted at once, and their pages are deleted. The
 * rows stay, so that their statements can still be explained. Returns how many.
 */
export async function purgeDeletedDocuments(
  db: Db,
  of: { readonly before: string; readonly now: string; readonly limit: number },
): Promise<number> {
  const found = await db.query<RowOfAccount>({
    name: 'documents_discarded',
    text: `select account_id as "accountId", id from documents
            where discarded_at is not null and file_id is not null and discarded_at < $1
            order by discarded_at limit $2`,
    values: [of.before, of.limit],
  })
  const emptied = await acquirePerAccount(found.rows, async (accountId, ids) => {
    const { rows } = await db.query<{ id: string }>({
      name: 'documents_empty_discarded',
      text: `with old as (
               select id, file_id from documents
                where account_id = $1 and id = any($2::uuid[]) and discarded_at is not null and file_id is not null
                order by id for update skip locked
             ), loose as (
               insert into loose_files (account_id, id, delete_at) select $1, file_id, $3 from old
               on conflict (account_id, id) do update set delete_at = excluded.delete_at
             ), pages as (
               delete from document_pages p using old where p.account_id = $1 and p.document_id = old.id
             )
             update documents d set file_id = null, pages_of = null, extracted_data_manual = null
               from old where d.account_id = $1 and d.id = old.id returning d.id`,
      values: [accountId, ids, of.now],
    })
    return rows
  })
  return emptied.length
}
