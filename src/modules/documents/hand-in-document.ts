/**
 * Adds a document: its bytes are stored, and a worker reads them later. The same bytes are one document of an account,
 * for every way in, and for any number of simultaneous uploads.
 */

import type { DocumentType } from '../../connectors/papers/document.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { recordChange } from '../audit/record-change.ts'
import { ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { adderOf } from './adder.ts'
import { contentTypeOf } from './content-type.ts'
import { enqueueDocumentTask } from './document-tasks-sql.ts'
import { type DocumentSource, findSameDocument, insertDocument } from './documents-sql.ts'
import { cleanFileName, cleanName } from './file-name.ts'
import { type LinkChanges, setLinks } from './set-links.ts'
import { holdFile, storeFile } from './store-file.ts'
import { useQuota } from './use-quota.ts'

export interface DocumentToHandIn {
  readonly bytes: Buffer
  readonly fileName: string
  /** As it was declared. The bytes decide. */
  readonly contentType: string | null
  /** What it is called; the name of the file when null. */
  readonly name: string | null
  readonly source: DocumentSource
  /** Who added it, as text; null: the actor of the context. */
  readonly addedBy: string | null
  readonly emailSubmissionId: string | null
  readonly documentTypeManual?: DocumentType | null
  /** Shipments and containers to which a person links it. */
  readonly links?: LinkChanges
  /** Its id; a new one when left out. */
  readonly id?: string | undefined
}

export type HandInResult =
  | { readonly kind: 'made'; readonly id: string }
  | { readonly kind: 'same'; readonly existingDocumentId: string; readonly existingName: string }

/** A file that is in the file store already, and how the transaction claims it. */
export interface StoredFile {
  readonly fileId: string
  /** False: another process has claimed it meanwhile. */
  readonly take: (db: Db) => Promise<boolean>
}

/** Throws 413 for a file that is too large, 429 above the quota, 503 while files cannot be stored. */
export async function handInDocument(
  service: Service,
  context: Context,
  given: DocumentToHandIn,
): Promise<HandInResult> {
  requireScope(context, 'write')
  const accountId = context.account.id
  checkSize(service, given.bytes.length)
  const contentHash = service.encryption.digest(given.bytes)
  const same = await findSameDocument(service.pool, { accountId, contentHash })
  if (same !== null) return toSameResult(same)
  const giveBack = await useQuota(service, { accountId, bytes: given.bytes.length })
  try {
    const fileId = await storeFile(service, { accountId, bytes: given.bytes })
    const result = await makeDocument(service, context, given, {
      fileId,
      take: async (db) => {
        await holdFile(db, { accountId, id: fileId })
        return true
      },
    })
    if (result.kind === 'same') await giveBack()
    return result
  } catch (error) {
    await giveBack()
    throw error
  }
}

/** The same for bytes that are in the store already, under the quota of when they came. */
export async function makeDocument(
  service: Service,
  context: Context,
  given: DocumentToHandIn,
  file: StoredFile,
): Promise<HandInResult> {
  requireScope(context, 'write')
  const accountId = context.account.id
  const contentHash = service.encryption.digest(given.bytes)
  const adder = await adderOf(service, context)
  const now = realNow(service)
  const id = given.id ?? uuidV7(service.clock.now())
  const fileName = cleanFileName(given.fileName)
  const made = await inTransaction(service.pool, async (db) => {
    const isNew = await insertDocument(db, {
      accountId,
      id,
      name: cleanName(given.name ?? '') ?? fileName,
      source: given.source,
      userId: adder.userId,
      addedBy: given.addedBy ?? adder.addedBy,
      emailSubmissionId: given.emailSubmissionId,
      fileName,
      fileContentType: contentTypeOf(given.bytes) ?? given.contentType,
      fileSizeBytes: given.bytes.length,
      fileId: file.fileId,
      contentHash,
      documentTypeManual: given.documentTypeManual ?? null,
      createdAt: now,
    })
    if (!isNew) return false
    if (!(await file.take(db))) throw new FileInUseError()
    await setLinks(db, service, { accountId, documentId: id }, given.links ?? {})
    const taskId = uuidV7(service.clock.now())
    await enqueueDocumentTask(db, { accountId, id: taskId, documentId: id, verb: 'read', at: now })
    await recordChange(db, service, context, {
      action: 'document.created',
      target: { type: 'document', id },
      diff: null,
    })
    wakeWorkers(db, 'documents')
    return true
  })
  if (made) {
    service.metrics.documentHandedIn({ source: given.source, documentId: id, accountId })
    return { kind: 'made', id }
  }
  const same = await findSameDocument(service.pool, { accountId, contentHash })
  if (same !== null) return toSameResult(same)
  // The other document was deleted at this moment, so no document has these bytes any more.
  return makeDocument(service, context, given, file)
}

/** The file in the store belongs to another row by now: a copy is needed. */
export class FileInUseError extends Error {}

function toSameResult(same: { readonly id: string; readonly name: string }): HandInResult {
  return { kind: 'same', existingDocumentId: same.id, existingName: same.name }
}

export function checkSize(service: Service, bytes: number): void {
  const { mbMax } = service.config.documents
  if (bytes > mbMax * 1_048_576) throw new ServiceError('too_large', `A document has at most ${mbMax} MB.`)
  if (bytes === 0) throw new ServiceError('invalid', 'The file is empty.')
}
