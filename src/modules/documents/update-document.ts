/**
 * Changes what a person may set for a document: its name, its kind, its fields, and its shipments. Values of a person
 * count instead of the values that were read, until the person removes them.
 */

import type { DocumentType } from '../../connectors/papers/document.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import { isSameJson } from '../../domain/values/json-value.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { diffOf, recordChange } from '../audit/record-change.ts'
import { notFound, refusedAt } from '../errors.ts'
import { type PreconditionCheck, requireCurrent } from '../require-current.ts'
import { realNow, type Service } from '../service.ts'
import { findLastRead, insertRepresentation, replaceReferences } from './document-readings-sql.ts'
import { currentSchemaOf } from './document-schemas.ts'
import { type DocumentRow, updateDocument as updateRow } from './documents-sql.ts'
import { cleanName } from './file-name.ts'
import { findManualFaults } from './find-manual-faults.ts'
import { type DocumentReading, findDocumentReadings, findRepresentations } from './list-documents-sql.ts'
import { referencesOf } from './references.ts'
import { lockOwnDocument, scheduleTask } from './request-document-task.ts'
import { type LinkChanges, setLinks } from './set-links.ts'

/** Undefined: as it is. Null removes what a person set before. */
export interface DocumentChanges extends LinkChanges {
  readonly name?: string | undefined
  readonly documentTypeManual?: DocumentType | null | undefined
  readonly extractedDataManual?: Readonly<Record<string, unknown>> | null | undefined
}

export async function updateDocument(
  service: Service,
  context: Context,
  input: DocumentChanges & { readonly id: string; readonly ifCurrent?: PreconditionCheck<DocumentReading> | null },
): Promise<DocumentReading> {
  requireScope(context, 'write')
  const accountId = context.account.id
  const read = async (db: Db): Promise<DocumentReading> => {
    const [reading] = await findDocumentReadings(db, { accountId, ids: [input.id] })
    if (reading === undefined) throw notFound('document')
    return reading
  }
  return inTransaction(service.pool, async (db) => {
    const document = await lockOwnDocument(db, context, input.id)
    const before = await read(db)
    requireCurrent(input.ifCurrent, before)
    const changed = applyChanges(document, input)
    checkData(service, changed, input)
    const isDataNew = !isSameJson(changed.extractedDataManual, document.extractedDataManual)
    const isKindNew = changed.documentTypeManual !== document.documentTypeManual
    const areLinksNew = await setLinks(db, service, { accountId, documentId: document.id }, input)
    if (changed.name === document.name && !isDataNew && !isKindNew && !areLinksNew) return before
    const next = isDataNew ? await updateShownRepresentation(db, service, changed) : changed
    await updateRow(db, { ...next, updatedAt: realNow(service) })
    // The fields of another kind are read from the stored pages.
    if (isKindNew) await scheduleTask(db, service, document, { verb: 'extract' })
    if (isDataNew) {
      await scheduleTask(db, service, document, { verb: 'link' })
      await scheduleTask(db, service, document, { verb: 'say' })
    }
    const after = await read(db)
    await recordChange(db, service, context, {
      action: 'document.updated',
      target: { type: 'document', id: document.id },
      diff: diffOf(toAuditFields(before), toAuditFields(after), [
        'name',
        'documentTypeManual',
        'extractedDataManual',
        'links',
      ]),
    })
    return after
  })
}

function applyChanges(document: DocumentRow, input: DocumentChanges): DocumentRow {
  const { name, documentTypeManual, extractedDataManual } = input
  const cleaned = name === undefined ? document.name : cleanName(name)
  if (cleaned === null) throw refusedAt('/data/attributes/name', 'A document needs a name.')
  return {
    ...document,
    name: cleaned,
    ...(documentTypeManual === undefined ? {} : { documentTypeManual }),
    ...(extractedDataManual === undefined ? {} : { extractedDataManual }),
  }
}

export function documentTypeOf({
  documentTypeManual,
  documentType,
}: Pick<DocumentRow, 'documentTypeManual' | 'documentType'>) {
  return documentTypeManual ?? documentType
}

function checkData(service: Service, changed: DocumentRow, input: DocumentChanges): void {
  if (changed.extractedDataManual === null) return
  if (input.extractedDataManual === undefined && input.documentTypeManual === undefined) return
  const [fault] = findManualFaults(service, documentTypeOf(changed), changed.extractedDataManual)
  if (fault === undefined) return
  if (input.extractedDataManual !== undefined)
    throw refusedAt(`/data/attributes/extracted_data_manual${fault.pointer}`, fault.detail)
  throw refusedAt(
    '/data/attributes/document_type_manual',
    'The stored `extracted_data_manual` does not fit this kind. Send new values for it too, or null.',
  )
}

/** What a person wrote is a representation of its own; without it the last reading is shown again. */
async function updateShownRepresentation(db: Db, service: Service, document: DocumentRow): Promise<DocumentRow> {
  const { accountId, extractedDataManual: payload } = document
  const of = { accountId, documentId: document.id }
  const type = documentTypeOf(document)
  if (payload !== null) {
    const id = uuidV7(service.clock.now())
    await insertRepresentation(db, {
      ...of,
      id,
      documentType: type,
      schemaVersion: currentSchemaOf(service, type)?.version ?? 'none',
      payload,
      fields: [],
      encryptedFields: null,
      isManual: true,
      readerVersion: null,
      createdAt: realNow(service),
    })
    await replaceReferences(db, { ...of, references: referencesOf(service, { type, payload, fields: [] }) })
    return { ...document, representationId: id }
  }
  const representationId = await findLastRead(db, of)
  const [last] = representationId === null ? [] : await findRepresentations(db, { accountId, ids: [representationId] })
  const references = last === undefined ? [] : referencesOf(service, { ...last, type: last.documentType })
  await replaceReferences(db, { ...of, references })
  return { ...document, representationId }
}

/** What the log of changes stores. Not the data: these are in the representations. */
function toAuditFields(reading: DocumentReading) {
  return {
    name: reading.name,
    documentTypeManual: reading.documentTypeManual,
    extractedDataManual: reading.extractedDataManual === null ? null : reading.representationId,
    links: reading.links.map(({ shipmentId, containerId }) => containerId ?? shipmentId),
  }
}
