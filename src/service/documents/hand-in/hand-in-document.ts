/**
 * Takes in a document: its bytes are kept, and a worker reads them later. The same bytes are one document of an
 * account, whichever way they come, and however many hand them in at the same moment.
 */

import { uuidV7 } from '../../../platform/ids.ts'
import type { DocumentType } from '../../../sources/documents/document.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import { wake } from '../../../store/ground/wake.ts'
import { askDocumentTask } from '../../../store/inbound/document-tasks.ts'
import { type DocumentSource, findSameDocument, insertDocument } from '../../../store/inbound/documents.ts'
import { type Context, requireScope } from '../../context.ts'
import { ServiceError } from '../../errors.ts'
import { recordChange } from '../../people/audit/record-change.ts'
import { realNow, type Service } from '../../service.ts'
import { holdFile, keepFile } from '../files/keep-file.ts'
import { type SaidLinks, sayLinks } from '../linking/say-links.ts'
import { adderOf } from './added-by.ts'
import { contentTypeOf } from './content-type.ts'
import { cleanFileName, cleanName } from './file-name.ts'
import { takeQuota } from './quota.ts'

export interface HandedIn {
  readonly bytes: Buffer
  readonly fileName: string
  /** As it was declared. The bytes decide. */
  readonly contentType: string | null
  /** What it is called; the name of the file when null. */
  readonly name: string | null
  readonly source: DocumentSource
  /** Who handed it in, in words; null: who the context says. */
  readonly addedBy: string | null
  readonly emailSubmissionId: string | null
  readonly documentTypeManual?: DocumentType | null
  /** Shipments and containers to which a person says that it belongs. */
  readonly links?: SaidLinks
  /** Its id; a new one when left out. */
  readonly id?: string | undefined
}

export type HandInResult =
  | { readonly kind: 'made'; readonly id: string }
  | { readonly kind: 'same'; readonly existingDocumentId: string; readonly existingName: string }

/** A file that is in the store already, and how the transaction takes it over. */
export interface StoredFile {
  readonly fileId: string
  /** False: somebody else has taken it meanwhile. */
  readonly take: (db: Db) => Promise<boolean>
}

/** Throws 413 for a file that is too large, 429 above the quota, 503 while files cannot be kept. */
export async function handInDocument(
  service: Service,
  context: Context,
  given: HandedIn,
): Promise<HandInResult> {
  requireScope(context, 'write')
  const accountId = context.account.id
  checkSize(service, given.bytes.length)
  const contentHash = service.vault.digest(given.bytes)
  const same = await findSameDocument(service.pool, { accountId, contentHash })
  if (same !== null) return sameAs(same)
  const giveBack = await takeQuota(service, { accountId, bytes: given.bytes.length })
  try {
    const fileId = await keepFile(service, { accountId, bytes: given.bytes })
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
  given: HandedIn,
  file: StoredFile,
): Promise<HandInResult> {
  requireScope(context, 'write')
  const accountId = context.account.id
  const contentHash = service.vault.digest(given.bytes)
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
    if (!(await file.take(db))) throw new FileTaken()
    await sayLinks(db, service, { accountId, documentId: id }, given.links ?? {})
    const taskId = uuidV7(service.clock.now())
    await askDocumentTask(db, { accountId, id: taskId, documentId: id, verb: 'read', at: now })
    await recordChange(db, service, context, {
      action: 'document.created',
      target: { type: 'document', id },
      diff: null,
    })
    await wake(db, 'documents')
    return true
  })
  if (made) {
    service.metrics.documentHandedIn({ source: given.source, documentId: id, accountId })
    return { kind: 'made', id }
  }
  const same = await findSameDocument(service.pool, { accountId, contentHash })
  if (same !== null) return sameAs(same)
  // The other document was deleted at this moment, so no document has these bytes any more.
  return makeDocument(service, context, given, file)
}

/** The file in the store belongs to another row by now: a copy is needed. */
export class FileTaken extends Error {}

function sameAs(same: { readonly id: string; readonly name: string }): HandInResult {
  return { kind: 'same', existingDocumentId: same.id, existingName: same.name }
}

export function checkSize(service: Service, bytes: number): void {
  const { mbMax } = service.config.documents
  if (bytes > mbMax * 1_048_576) throw new ServiceError('too_large', `A document has at most ${mbMax} MB.`)
  if (bytes === 0) throw new ServiceError('invalid', 'The file is empty.')
}
