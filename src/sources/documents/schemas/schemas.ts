/**
 * The schemas of what is read of documents, as `GET /v2/document_schemas/<type>@<version>` serves them: all versions of
 * each kind, one of them current. A draft shows what the next version adds; nothing is read by it yet.
 */

import { type DocumentType, documentTypes, type ReadableType, readableTypes } from '../document.ts'
import { draftFieldsOf, fieldsOf } from './payload-fields.ts'
import { writeSchema } from './write-schema.ts'

export interface DocumentSchema {
  readonly documentType: ReadableType
  readonly label: string
  /** Semantic versioning: a new field is a new minor version. */
  readonly version: string
  /** `arrival_notice@1.0.0` */
  readonly fullVersion: string
  readonly isCurrent: boolean
  readonly isDraft: boolean
  /** Instant; null for a draft. */
  readonly activeAt: string | null
  readonly description: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly createdAt: string
  readonly updatedAt: string
}

const described: Readonly<Record<DocumentType, readonly [label: string, description: string]>> = {
  bill_of_lading: ['Bill of lading', 'Receipt, contract and title of goods that a carrier took on board.'],
  sea_waybill: [
    'Sea waybill',
    'As a bill of lading, but not negotiable: the goods go to the named consignee.',
  ],
  arrival_notice: [
    'Arrival notice',
    'Tells the consignee when and where the cargo arrives, and until when it may stay.',
  ],
  delivery_order: ['Delivery order', 'Tells the terminal to hand the cargo to whoever is named.'],
  booking_confirmation: [
    'Booking confirmation',
    'The carrier confirms the space on a vessel, with its cut-offs.',
  ],
  commercial_invoice: [
    'Commercial invoice',
    'What the seller charges for the goods; the base of customs value.',
  ],
  packing_list: ['Packing list', 'What is in which package, with weights and measures.'],
  demurrage_invoice: [
    "Carrier's demurrage or detention invoice",
    'What a carrier charges for boxes kept beyond free time (46 CFR 541).',
  ],
  other: ['Other', 'A person or a reader says that it is none of these.'],
  unknown: ['Unknown', 'Nobody could tell what it is.'],
}

const firstAt = '2026-11-26T00:00:00.000Z'

export const documentSchemas: readonly DocumentSchema[] = readableTypes.flatMap((type) => {
  const draft = draftFieldsOf(type)
  const current = makeSchema({ type, version: '1.0.0', isDraft: false, fields: fieldsOf(type) })
  return draft.length === 0
    ? [current]
    : [current, makeSchema({ type, version: '1.1.0', isDraft: true, fields: draft })]
})

function makeSchema(of: {
  readonly type: ReadableType
  readonly version: string
  readonly isDraft: boolean
  readonly fields: ReturnType<typeof fieldsOf>
}): DocumentSchema {
  const [label, description] = described[of.type]
  const fullVersion = `${of.type}@${of.version}`
  return {
    documentType: of.type,
    label,
    version: of.version,
    fullVersion,
    isCurrent: !of.isDraft,
    isDraft: of.isDraft,
    activeAt: of.isDraft ? null : firstAt,
    description,
    payload: writeSchema({ fullVersion, title: label, description, fields: of.fields }),
    createdAt: firstAt,
    updatedAt: firstAt,
  }
}

/** `arrival_notice@1.0.0`; null for a version that was never there. */
export function findSchema(fullVersion: string): DocumentSchema | null {
  return documentSchemas.find((schema) => schema.fullVersion === fullVersion) ?? null
}

/** The schema that the payload of a reading of this kind has; null for `other` and `unknown`, which have no payload. */
export function currentSchemaOf(type: DocumentType): DocumentSchema | null {
  return documentSchemas.find(({ documentType, isCurrent }) => isCurrent && documentType === type) ?? null
}

export interface ListedType {
  readonly type: DocumentType
  readonly label: string
  readonly description: string
  readonly currentSchema: DocumentSchema | null
}

/** All kinds of documents, for `GET /v2/documents/types`. */
export function documentTypesListed(): readonly ListedType[] {
  return documentTypes.map((type) => {
    const [label, description] = described[type]
    return { type, label, description, currentSchema: currentSchemaOf(type) }
  })
}
