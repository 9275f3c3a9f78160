/** One task of a document, by its verb. */

import type { DocumentField, DocumentType, PageWords } from '../../../connectors/papers/document.ts'
import { capConfidence } from '../../../connectors/papers/model/add-answer.ts'
import { inTransaction } from '../../../db/database.ts'
import { unreachable } from '../../../domain/values/unreachable.ts'
import { realNow, type Service } from '../../service.ts'
import { readDateAndParties } from '../date-and-parties.ts'
import { readEncryptedPages } from '../document-readings-sql.ts'
import { type DocumentTask, endDocumentTask } from '../document-tasks-sql.ts'
import { type DocumentRow, findDocument, lockDocument, updateDocument } from '../documents-sql.ts'
import { linkDocument } from '../link-document.ts'
import { findRepresentations } from '../list-documents-sql.ts'
import { readersOf } from '../readers.ts'
import { scheduleTask } from '../request-document-task.ts'
import { readFile } from '../store-file.ts'
import { mergeModelReading } from './add-by-model.ts'
import { decryptPages } from './encrypted-pages.ts'
import { rotateDocumentImage } from './rotate-document-image.ts'
import { runStatementTask } from './run-statement-task.ts'
import { type FileReadResult, storeFailure, storeReading } from './store-reading.ts'

export async function workTask(service: Service, task: DocumentTask): Promise<void> {
  const document = await findDocument(service.pool, { accountId: task.accountId, id: task.documentId })
  // The statements of a deleted document must still be withdrawn from the shipments.
  const isRemoved = document === null || (document.discardedAt !== null && task.verb !== 'say')
  if (isRemoved) {
    await endDocumentTask(service.pool, task)
    return
  }
  switch (task.verb) {
    case 'read':
    case 'classify':
    case 'extract':
      await readAndStore(service, task, document)
      return
    case 'link':
      await runLinkTask(service, task)
      return
    case 'rotate':
      await rotateDocumentImage(service, task, document)
      return
    case 'model':
      await retryModel(service, task, document)
      return
    case 'say':
      await runStatementTask(service, task, document)
      return
    default:
      unreachable(task.verb)
  }
}

async function readAndStore(service: Service, task: DocumentTask, document: DocumentRow): Promise<void> {
  const knownType = getKnownType(task, document)
  const found = await readByRulesAndModel(service, task, document, { knownType, tries: 0 })
  if (found !== null) await storeReading(service, task, found)
}

/** The result of the rules is stored already: the model adds to it, or it stays as it is. */
async function retryModel(service: Service, task: DocumentTask, document: DocumentRow): Promise<void> {
  if (document.model?.state !== 'waiting') {
    await endDocumentTask(service.pool, task)
    return
  }
  const { tries } = document.model
  const found = await readByRulesAndModel(service, task, document, { knownType: document.documentTypeManual, tries })
  if (found === null) return
  if (found.model?.state === 'answered') {
    await storeReading(service, task, found)
    return
  }
  await inTransaction(service.pool, async (db) => {
    const now = await lockDocument(db, { accountId: task.accountId, id: task.documentId })
    if (!(await endDocumentTask(db, task)) || now === null || now.discardedAt !== null) return
    await updateDocument(db, { ...now, model: found.model, updatedAt: realNow(service) })
    if (found.askAgainAt !== null) await scheduleTask(db, service, now, { verb: 'model', at: found.askAgainAt })
  })
}

/** By the rules, and by the model where it is allowed. Null: the file could not be read, and this is stored. */
async function readByRulesAndModel(
  service: Service,
  task: DocumentTask,
  document: DocumentRow,
  { knownType, tries }: { readonly knownType: DocumentType | null; readonly tries: number },
): Promise<FileReadResult | null> {
  const { fileId, accountId, id: documentId } = document
  if (fileId === null) throw new Error('a document that is not deleted has no file')
  const found = await pagesOf(service, task, { ...document, fileId })
  if (found === null) return null
  const { pages } = found
  const byRules = readersOf(service).readDocument(pages, knownType)
  const isKindByModel = document.isKindByModel && document.documentTypeManual === null && knownType !== null
  const reading = isKindByModel ? capConfidence(byRules) : byRules
  const isKindKnown = knownType !== null
  const added = await mergeModelReading(service, {
    accountId,
    documentId,
    pages,
    reading,
    isKindKnown,
    tries,
  })
  return {
    ...added,
    isKindByModel: isKindByModel || added.isKindByModel,
    secrets: isKindByModel || added.isKindByModel ? [] : secretsIn(service, pages, added.reading.type),
    fileId,
    pages: found.areKept ? null : pages,
  }
}

/** Only of a paper whose kind is sure: it opens the gate to the cargo. */
function secretsIn(service: Service, pages: readonly PageWords[], type: DocumentType): readonly DocumentField[] {
  const found = readersOf(service).findPickupNumber(pages, type)
  return found === null ? [] : [found]
}

/** The kind that is given, so that only the fields are read; null where the kind is to be found. */
function getKnownType({ verb }: DocumentTask, { documentType, documentTypeManual }: DocumentRow) {
  if (documentTypeManual !== null) return documentTypeManual
  return verb === 'extract' && documentType !== 'unknown' ? documentType : null
}

/**
 * The stored pages when they are of this file, else those of the file. Null: it could not be read, and this is stored.
 */
async function pagesOf(service: Service, task: DocumentTask, document: DocumentRow & { readonly fileId: string }) {
  const { accountId, fileId } = document
  if (task.verb !== 'read' && document.pagesOf === fileId) {
    const of = { accountId, documentId: document.id }
    const stored = await readEncryptedPages(service.pool, of)
    return { pages: decryptPages(service.encryption, { ...of, pages: stored }), areKept: true }
  }
  const file = await readFile(service, { accountId, id: fileId })
  const pages =
    file.kind === 'lost'
      ? { ok: false as const, reason: 'damaged' as const, detail: file.why }
      : await readersOf(service).readPagesApart(file.bytes)
  if (pages.ok) return { pages: pages.pages, areKept: false }
  await storeFailure(service, task, { ...pages, fileId })
  return null
}

async function runLinkTask(service: Service, task: DocumentTask): Promise<void> {
  await inTransaction(service.pool, async (db) => {
    const document = await lockDocument(db, { accountId: task.accountId, id: task.documentId })
    if (!(await endDocumentTask(db, task)) || document === null || document.discardedAt !== null) return
    const ids = document.representationId === null ? [] : [document.representationId]
    const [representation] = await findRepresentations(db, { accountId: task.accountId, ids })
    const candidates = await linkDocument(db, service, document, readDateAndParties(representation?.payload ?? {}))
    await updateDocument(db, { ...document, candidates, updatedAt: realNow(service) })
  })
}
