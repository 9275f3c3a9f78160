/**
 * Stores the reading of a document, in one transaction: its kind and fields, the numbers in it, where it belongs, and
 * the event. The ingestion of its statements is scheduled in the same transaction and runs in the next.
 */

import type { DocumentField, PageWords } from '../../../connectors/papers/document.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import { wakeWorkers } from '../../../db/wake-workers.ts'
import { insertEvents } from '../../../pipeline/projection/domain-events-sql.ts'
import { uuidV7 } from '../../../platform/ids.ts'
import { realNow, type Service } from '../../service.ts'
import { readDateAndParties } from '../date-and-parties.ts'
import { insertRepresentation, replacePages, replaceReferences } from '../document-readings-sql.ts'
import { currentSchemaOf } from '../document-schemas.ts'
import { type DocumentTask, endDocumentTask } from '../document-tasks-sql.ts'
import { type DocumentRow, type FailureReason, lockDocument, updateDocument } from '../documents-sql.ts'
import { encryptFields } from '../encrypted-fields.ts'
import { linkDocument } from '../link-document.ts'
import { findDocumentReadings } from '../list-documents-sql.ts'
import { readersOf } from '../readers.ts'
import { referencesOf } from '../references.ts'
import { scheduleTask } from '../request-document-task.ts'
import type { ReadingWithModel } from './add-by-model.ts'
import { encryptPages } from './encrypted-pages.ts'

/** The reading of a task; with its file, since a person may rotate the image meanwhile. */
export interface FileReadResult extends ReadingWithModel {
  readonly fileId: string
  /** Null: the stored pages are still right. */
  readonly pages: readonly PageWords[] | null
  /** Fields that are stored encrypted, and shown nowhere with the document. */
  readonly secrets: readonly DocumentField[]
}

export async function storeReading(service: Service, task: DocumentTask, read: FileReadResult): Promise<void> {
  const isStored = await inTransaction(service.pool, async (db) => {
    const document = await lockForTask(db, task, read.fileId)
    if (document === null) return false
    const of = { accountId: task.accountId, documentId: document.id }
    const { reading, pages } = read
    const now = realNow(service)
    if (pages !== null) await replacePages(db, { ...of, pages: encryptPages(service.encryption, { ...of, pages }) })
    const representationId = uuidV7(service.clock.now())
    await insertRepresentation(db, {
      ...of,
      id: representationId,
      documentType: reading.type,
      schemaVersion: currentSchemaOf(service, reading.type)?.version ?? none,
      payload: reading.payload,
      fields: reading.fields,
      encryptedFields: encryptFields(service.encryption, {
        accountId: task.accountId,
        representationId,
        fields: read.secrets,
      }),
      isManual: false,
      readerVersion: readersOf(service).rulesVersion,
      createdAt: now,
    })
    // What a person wrote stays, whatever is read again.
    const isCorrected = document.extractedDataManual !== null
    if (!isCorrected) await replaceReferences(db, { ...of, references: referencesOf(service, reading) })
    const next: DocumentRow = {
      ...document,
      // A kind that a person set is no finding of ours.
      documentType: document.documentTypeManual === null ? reading.type : document.documentType,
      classificationNotes: document.documentTypeManual === null ? reading.notes : document.classificationNotes,
      state: 'read',
      failureReason: null,
      failureDetail: null,
      pageCount: pages?.length ?? document.pageCount,
      pagesOf: read.fileId,
      representationId: isCorrected ? document.representationId : representationId,
      model: read.model,
      isKindByModel: document.documentTypeManual === null && read.isKindByModel,
      updatedAt: now,
    }
    const candidates = await linkDocument(db, service, next, readDateAndParties(reading.payload))
    await updateDocument(db, { ...next, candidates })
    await emitDocumentEvent(db, service, next, 'document.extracted')
    await scheduleTask(db, service, next, { verb: 'say' })
    if (read.askAgainAt !== null) await scheduleTask(db, service, next, { verb: 'model', at: read.askAgainAt })
    return true
  })
  if (isStored) service.metrics.documentRead({ type: read.reading.type, documentId: task.documentId })
}

/** A kind without fields has no schema. */
const none = 'none'

/** Stores that nothing could be read. An earlier reading stays shown. */
export async function storeFailure(
  service: Service,
  task: DocumentTask,
  failed: { readonly reason: FailureReason; readonly detail: string; readonly fileId: string | null },
): Promise<void> {
  const { reason, detail } = failed
  const isStored = await inTransaction(service.pool, async (db) => {
    const document = await lockForTask(db, task, failed.fileId)
    if (document === null) return false
    const next: DocumentRow = {
      ...document,
      state: 'failed',
      failureReason: reason,
      failureDetail: detail,
      representationId: document.representationId ?? (await insertEmptyRepresentation(db, service, document)),
      updatedAt: realNow(service),
    }
    await updateDocument(db, next)
    await emitDocumentEvent(db, service, next, 'document.extraction_failed')
    return true
  })
  if (isStored) service.metrics.documentFailed({ reason, documentId: task.documentId })
}

/** The event of a failure contains a representation, too. The first one of a document is empty then. */
async function insertEmptyRepresentation(db: Db, service: Service, document: DocumentRow): Promise<string> {
  const id = uuidV7(service.clock.now())
  const documentType = document.documentTypeManual ?? document.documentType
  await insertRepresentation(db, {
    accountId: document.accountId,
    documentId: document.id,
    id,
    documentType,
    schemaVersion: currentSchemaOf(service, documentType)?.version ?? none,
    payload: {},
    fields: [],
    encryptedFields: null,
    isManual: false,
    readerVersion: readersOf(service).rulesVersion,
    createdAt: realNow(service),
  })
  return id
}

/**
 * The document, locked, with the task ended. Null when there is nothing to store: another worker has the task, the
 * document was deleted, or it has another file by now, for which there is another task.
 */
async function lockForTask(db: Db, task: DocumentTask, fileId: string | null): Promise<DocumentRow | null> {
  const document = await lockDocument(db, { accountId: task.accountId, id: task.documentId })
  if (!(await endDocumentTask(db, task))) return null
  if (document === null || document.discardedAt !== null) return null
  return fileId === null || document.fileId === fileId ? document : null
}

/** The event names a shipment or container where the document belongs to just one. */
async function emitDocumentEvent(
  db: Db,
  service: Service,
  { accountId, id }: DocumentRow,
  name: 'document.extracted' | 'document.extraction_failed',
): Promise<void> {
  const [reading] = await findDocumentReadings(db, { accountId, ids: [id] })
  const links = reading?.links ?? []
  const shipments = new Set(links.map(({ shipmentId }) => shipmentId))
  const containers = new Set(links.flatMap(({ containerId }) => containerId ?? []))
  const [shipmentId = null] = shipments.size === 1 ? shipments : []
  const [containerId = null] = containers.size === 1 ? containers : []
  const event = {
    id: uuidV7(service.clock.now()),
    name,
    referenceId: id,
    trackingRequestId: null,
    shipmentId,
    containerId,
    payload: {},
  }
  await insertEvents(db, { accountId, events: [event], at: realNow(service) })
  wakeWorkers(db, 'events')
}
