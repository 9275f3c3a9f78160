/** The numbers of bills and bookings that an event names, and the document that a shipment event is about. */

import { parseReferenceNumber } from '../../domain/values/identifiers.ts'
import { quoteValue } from '../source-issue.ts'
import { codeFor, documentTypes } from './codes.ts'
import { memoize, type ReadContext } from './context.ts'
import type { EventNodes } from './event-parts.ts'
import { readFirstText, readText } from './json-node.ts'

export interface DocumentNumber {
  readonly type: string
  readonly number: string
}

/** What a shipment event is about. The number is null when the line names the document by an internal id. */
export interface StatedDocument {
  readonly type: string
  readonly number: string | null
}

export function readDocuments(nodes: EventNodes, context: ReadContext): readonly DocumentNumber[] {
  const { issues, profile, memory } = context
  return nodes.documents.flatMap((node): DocumentNumber[] => {
    const type = readFirstText(node, ['documentReferenceType', 'type', 'typeCode'], issues)
    const rawText = readFirstText(node, ['documentReferenceValue', 'reference', 'value'], issues)
    if (type === null || rawText === null) return []
    const number = memoize(memory.documents, rawText, documentNumberOf)
    return number === null ? [] : [{ type: codeFor('document', type, profile.enumAliases), number }]
  })
}

/** The document that a shipment event is about: 2.2 names it in the event, 3.0 as the first of its references. */
export function readDocument(nodes: EventNodes, { issues, profile }: ReadContext): StatedDocument | null {
  const isNested = nodes.kind.path.endsWith('/eventClassification')
  const node = isNested ? (nodes.documents[0] ?? null) : nodes.time
  const rawText =
    node &&
    readFirstText(node, isNested ? ['type', 'typeCode'] : ['documentTypeCode', 'shipmentInformationTypeCode'], issues)
  const at = { path: `${nodes.time.path}/documentTypeCode`, lost: 'field' } as const
  if (node === null || rawText === null) {
    issues.add('missing_field', at, 'the shipment event names no document')
    return null
  }
  const type = codeFor('document', rawText, profile.enumAliases)
  if (!documentTypes.has(type))
    issues.addOnce('unknown_code', { ...at, lost: 'nothing' }, `${quoteValue(rawText)} is not a known type of document`)
  const id = isNested ? readFirstText(node, ['reference', 'value'], issues) : readText(node, 'documentID', issues)
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
