/**
 * Keeps what was read of a document, in one transaction: its kind and fields, the numbers in it, where it belongs, and
 * the event. What the journeys hear of it is asked for in the same transaction and said in the next.
 */

import { uuidV7 } from '../../../platform/ids.ts'
import type { FieldRead, PageWords } from '../../../sources/documents/document.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import { wake } from '../../../store/ground/wake.ts'
import {
  insertRepresentation,
  replacePages,
  replaceReferences,
} from '../../../store/inbound/document-readings.ts'
import { type DocumentTask, endDocumentTask } from '../../../store/inbound/document-tasks.ts'
import {
  type DocumentRow,
  type FailureReason,
  lockDocument,
  updateDocument,
} from '../../../store/inbound/documents.ts'
import { insertEvents } from '../../../store/journeys/domain-events.ts'
import { findDocumentReadings } from '../../../store/read/documents.ts'
import { realNow, type Service } from '../../service.ts'
import { ask } from '../changing/ask-task.ts'
import { currentSchemaOf } from '../ground/document-schemas.ts'
import { readersOf } from '../ground/readers.ts'
import { referencesOf } from '../ground/references.ts'
import { saidIn } from '../ground/said-in.ts'
import { sealFields } from '../ground/sealed-fields.ts'
import { linkDocument } from '../linking/link-document.ts'
import type { Added } from './read-by-model.ts'
import { sealPages } from './sealed-pages.ts'

/** What a task read; of which file, since somebody may turn the image meanwhile. */
export interface ReadOfFile extends Added {
  readonly fileId: string
  /** Null: the pages that are kept are still right. */
  readonly pages: readonly PageWords[] | null
  /** Fields that are kept sealed, and shown nowhere with the document. */
  readonly secrets: readonly FieldRead[]
}

export async function keepReading(service: Service, task: DocumentTask, read: ReadOfFile): Promise<void> {
  const kept = await inTransaction(service.pool, async (db) => {
    const document = await lockToKeep(db, task, read.fileId)
    if (document === null) return false
    const of = { accountId: task.accountId, documentId: document.id }
    const { reading, pages } = read
    const now = realNow(service)
    if (pages !== null) await replacePages(db, { ...of, pages: sealPages(service.vault, { ...of, pages }) })
    const representationId = uuidV7(service.clock.now())
    await insertRepresentation(db, {
      ...of,
      id: representationId,
      documentType: reading.type,
      schemaVersion: currentSchemaOf(service, reading.type)?.version ?? none,
      payload: reading.payload,
      fields: reading.fields,
      sealedFields: sealFields(service.vault, {
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
      // A kind that a person said is no finding of ours.
      documentType: document.documentTypeManual === null ? reading.type : document.documentType,
      classificationNotes:
        document.documentTypeManual === null ? reading.notes : document.classificationNotes,
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
    const candidates = await linkDocument(db, service, next, saidIn(reading.payload))
    await updateDocument(db, { ...next, candidates })
    await tell(db, service, next, 'document.extracted')
    await ask(db, service, next, { verb: 'say' })
    if (read.askAgainAt !== null) await ask(db, service, next, { verb: 'model', at: read.askAgainAt })
    return true
  })
  if (kept) service.metrics.documentRead({ type: read.reading.type, documentId: task.documentId })
}

/** A kind without fields has no schema. */
const none = 'none'

/** Keeps that nothing could be read. What was read before stays shown. */
export async function keepFailure(
  service: Service,
  task: DocumentTask,
  failed: { readonly reason: FailureReason; readonly detail: string; readonly fileId: string | null },
): Promise<void> {
  const { reason, detail } = failed
  const kept = await inTransaction(service.pool, async (db) => {
    const document = await lockToKeep(db, task, failed.fileId)
    if (document === null) return false
    const next: DocumentRow = {
      ...document,
      state: 'failed',
      failureReason: reason,
      failureDetail: detail,
      representationId: document.representationId ?? (await keepNothing(db, service, document)),
      updatedAt: realNow(service),
    }
    await updateDocument(db, next)
    await tell(db, service, next, 'document.extraction_failed')
    return true
  })
  if (kept) service.metrics.documentFailed({ reason, documentId: task.documentId })
}

/** The event of a failure brings a representation along too. The first one of a document is empty then. */
async function keepNothing(db: Db, service: Service, document: DocumentRow): Promise<string> {
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
    sealedFields: null,
    isManual: false,
    readerVersion: readersOf(service).rulesVersion,
    createdAt: realNow(service),
  })
  return id
}

/**
 * The document, locked, with the task ended. Null when there is nothing to keep: another worker has the task, the
 * document was deleted, or it has another file by now, for which there is another task.
 */
async function lockToKeep(db: Db, task: DocumentTask, fileId: string | null): Promise<DocumentRow | null> {
  const document = await lockDocument(db, { accountId: task.accountId, id: task.documentId })
  if (!(await endDocumentTask(db, task))) return null
  if (document === null || document.discardedAt !== null) return null
  return fileId === null || document.fileId === fileId ? document : null
}

/** The event names a shipment or container where the document belongs to just one. */
async function tell(
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
    referenceType: 'document' as const,
    referenceId: id,
    trackingRequestId: null,
    shipmentId,
    containerId,
    payload: {},
  }
  await insertEvents(db, { accountId, events: [event], at: realNow(service) })
  await wake(db, 'events')
}
