/** The numbers of bills and bookings that an event names, and the document that a shipment event is about. */

import { parseReferenceNumber } from '../../core/values/identifiers.ts'
import { quoted } from '../source-issue.ts'
import { type ReadContext, recall } from './context.ts'
import type { EventParts } from './event-parts.ts'
import { readFirstText, readText } from './part.ts'
import { codeFor, documentTypes } from './words.ts'

export interface DocumentNumber {
  readonly type: string
  readonly number: string
}

/** What a shipment event is about. The number is null when the line names the document by an internal id. */
export interface StatedDocument {
  readonly type: string
  readonly number: string | null
}

export function readDocuments(parts: EventParts, context: ReadContext): readonly DocumentNumber[] {
  const { issues, profile, memory } = context
  return parts.documents.flatMap((part): DocumentNumber[] => {
    const type = readFirstText(part, ['documentReferenceType', 'type', 'typeCode'], issues)
    const said = readFirstText(part, ['documentReferenceValue', 'reference', 'value'], issues)
    if (type === null || said === null) return []
    const number = recall(memory.documents, said, documentNumberOf)
    return number === null ? [] : [{ type: codeFor('document', type, profile.enumAliases), number }]
  })
}

/** The document that a shipment event is about: 2.2 names it in the event, 3.0 as the first of its references. */
export function readDocument(parts: EventParts, { issues, profile }: ReadContext): StatedDocument | null {
  const isNested = parts.kind.path.endsWith('/eventClassification')
  const part = isNested ? (parts.documents[0] ?? null) : parts.time
  const said =
    part &&
    readFirstText(
      part,
      isNested ? ['type', 'typeCode'] : ['documentTypeCode', 'shipmentInformationTypeCode'],
      issues,
    )
  const at = { path: `${parts.time.path}/documentTypeCode`, lost: 'field' } as const
  if (part === null || said === null) {
    issues.add('missing_field', at, 'the shipment event names no document')
    return null
  }
  const type = codeFor('document', said, profile.enumAliases)
  if (!documentTypes.has(type))
    issues.addOnce(
      'unknown_code',
      { ...at, lost: 'nothing' },
      `${quoted(said)} is not a known type of document`,
    )
  const id = isNested
    ? readFirstText(part, ['reference', 'value'], issues)
    : readText(part, 'documentID', issues)
  return { type: type.slice(0, 40), number: id === null ? null : documentNumberOf(id) }
}

/** Null for an internal id (a UUID, or a digest, which is too long): no customer uses it as a number. */
function documentNumberOf(text: string): string | null {
  const number = parseReferenceNumber(text)
  return number.ok && !isUuid(text) ? number.value : null
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
