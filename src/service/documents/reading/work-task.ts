/** One task of a document, by its verb. */

import { unreachable } from '../../../core/values/unreachable.ts'
import type { DocumentType, FieldRead, PageWords } from '../../../sources/documents/document.ts'
import { lessSure } from '../../../sources/documents/model/add-answer.ts'
import { inTransaction } from '../../../store/database.ts'
import { readSealedPages } from '../../../store/inbound/document-readings.ts'
import { type DocumentTask, endDocumentTask } from '../../../store/inbound/document-tasks.ts'
import {
  type DocumentRow,
  findDocument,
  lockDocument,
  updateDocument,
} from '../../../store/inbound/documents.ts'
import { findRepresentations } from '../../../store/read/documents.ts'
import { realNow, type Service } from '../../service.ts'
import { ask } from '../changing/ask-task.ts'
import { readFile } from '../files/keep-file.ts'
import { readersOf } from '../ground/readers.ts'
import { saidIn } from '../ground/said-in.ts'
import { linkDocument } from '../linking/link-document.ts'
import { sayWhatItSays } from '../saying/say-what-it-says.ts'
import { keepFailure, keepReading, type ReadOfFile } from './keep-reading.ts'
import { addByModel } from './read-by-model.ts'
import { openPages } from './sealed-pages.ts'
import { turnImage } from './turn-image.ts'

export async function workTask(service: Service, task: DocumentTask): Promise<void> {
  const document = await findDocument(service.pool, { accountId: task.accountId, id: task.documentId })
  // The journeys still have to hear that a deleted document says nothing any more.
  const isGone = document === null || (document.discardedAt !== null && task.verb !== 'say')
  if (isGone) {
    await endDocumentTask(service.pool, task)
    return
  }
  switch (task.verb) {
    case 'read':
    case 'classify':
    case 'extract':
      await read(service, task, document)
      return
    case 'link':
      await link(service, task)
      return
    case 'rotate':
      await turnImage(service, task, document)
      return
    case 'model':
      await askModelAgain(service, task, document)
      return
    case 'say':
      await sayWhatItSays(service, task, document)
      return
    default:
      unreachable(task.verb)
  }
}

async function read(service: Service, task: DocumentTask, document: DocumentRow): Promise<void> {
  const given = asKind(task, document)
  const found = await readBoth(service, task, document, { given, tries: 0 })
  if (found !== null) await keepReading(service, task, found)
}

/** What the rules read is kept already: the model adds to it, or it stays as it is. */
async function askModelAgain(service: Service, task: DocumentTask, document: DocumentRow): Promise<void> {
  if (document.model?.state !== 'waiting') {
    await endDocumentTask(service.pool, task)
    return
  }
  const { tries } = document.model
  const found = await readBoth(service, task, document, { given: document.documentTypeManual, tries })
  if (found === null) return
  if (found.model?.state === 'answered') {
    await keepReading(service, task, found)
    return
  }
  await inTransaction(service.pool, async (db) => {
    const now = await lockDocument(db, { accountId: task.accountId, id: task.documentId })
    if (!(await endDocumentTask(db, task)) || now === null || now.discardedAt !== null) return
    await updateDocument(db, { ...now, model: found.model, updatedAt: realNow(service) })
    if (found.askAgainAt !== null) await ask(db, service, now, { verb: 'model', at: found.askAgainAt })
  })
}

/** By the rules, and by the model where it may. Null: the file could not be read, and that is kept. */
async function readBoth(
  service: Service,
  task: DocumentTask,
  document: DocumentRow,
  { given, tries }: { readonly given: DocumentType | null; readonly tries: number },
): Promise<ReadOfFile | null> {
  const { fileId, accountId, id: documentId } = document
  if (fileId === null) throw new Error('a document that is not deleted has no file')
  const found = await pagesOf(service, task, { ...document, fileId })
  if (found === null) return null
  const { pages } = found
  const byRules = readersOf(service).readDocument(pages, given)
  const isKindByModel = document.isKindByModel && document.documentTypeManual === null && given !== null
  const reading = isKindByModel ? lessSure(byRules) : byRules
  const isKindGiven = given !== null
  const added = await addByModel(service, { accountId, documentId, pages, reading, isKindGiven, tries })
  return {
    ...added,
    isKindByModel: isKindByModel || added.isKindByModel,
    secrets: isKindByModel || added.isKindByModel ? [] : secretsIn(service, pages, added.reading.type),
    fileId,
    pages: found.areKept ? null : pages,
  }
}

/** Only of a paper whose kind is sure: it opens the gate to the cargo. */
function secretsIn(service: Service, pages: readonly PageWords[], type: DocumentType): readonly FieldRead[] {
  const found = readersOf(service).findPickupNumber(pages, type)
  return found === null ? [] : [found]
}

/** The kind that is given, so that only the fields are read; null where the kind is to be found. */
function asKind({ verb }: DocumentTask, { documentType, documentTypeManual }: DocumentRow) {
  if (documentTypeManual !== null) return documentTypeManual
  return verb === 'extract' && documentType !== 'unknown' ? documentType : null
}

/** The pages that are kept when they are of this file, else those of the file. Null: it could not be read, and that is kept. */
async function pagesOf(
  service: Service,
  task: DocumentTask,
  document: DocumentRow & { readonly fileId: string },
) {
  const { accountId, fileId } = document
  if (task.verb !== 'read' && document.pagesOf === fileId) {
    const of = { accountId, documentId: document.id }
    const kept = await readSealedPages(service.pool, of)
    return { pages: openPages(service.vault, { ...of, pages: kept }), areKept: true }
  }
  const file = await readFile(service, { accountId, id: fileId })
  const pages =
    file.kind === 'lost'
      ? { ok: false as const, reason: 'damaged' as const, detail: file.why }
      : await readersOf(service).readPagesApart(file.bytes)
  if (pages.ok) return { pages: pages.pages, areKept: false }
  await keepFailure(service, task, { ...pages, fileId })
  return null
}

async function link(service: Service, task: DocumentTask): Promise<void> {
  await inTransaction(service.pool, async (db) => {
    const document = await lockDocument(db, { accountId: task.accountId, id: task.documentId })
    if (!(await endDocumentTask(db, task)) || document === null || document.discardedAt !== null) return
    const ids = document.representationId === null ? [] : [document.representationId]
    const [shown] = await findRepresentations(db, { accountId: task.accountId, ids })
    const candidates = await linkDocument(db, service, document, saidIn(shown?.payload ?? {}))
    await updateDocument(db, { ...document, candidates, updatedAt: realNow(service) })
  })
}
