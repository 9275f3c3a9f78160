/** `document` and `document_representation`: so far only the examples of their events show them. */

import { type Identified, identifierOrNull, many, one, type ResourceKind } from '../../shape/resource.ts'
import * as schema from '../../shape/schema.ts'

export interface DocumentReading extends Identified {
  readonly type: 'document'
  readonly name: string
  readonly documentType: string
  readonly source: (typeof sources)[number]
  readonly fileName: string
  readonly contentType: string | null
  readonly bytes: number | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly accountId: string
  readonly emailSubmissionId: string | null
  readonly representationId: string | null
  readonly shipmentIds: readonly string[]
  readonly containerIds: readonly string[]
}

export interface DocumentRepresentationReading extends Identified {
  readonly type: 'document_representation'
  readonly schemaVersion: string
  /** The content that was read from the document, in the shape of its schema. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly createdAt: string
}

const sources = ['upload', 'api', 'email', 'split_document'] as const

export const document: ResourceKind<DocumentReading> = {
  type: 'document',
  attributes: {
    id: schema.id(),
    name: schema.text(),
    document_type: schema.text(),
    document_type_manual: schema.textOrNull(),
    classification_notes: schema.textOrNull(),
    source: schema.oneOf(sources),
    file_name: schema.text(),
    file_content_type: schema.textOrNull(),
    file_size_bytes: schema.integerOrNull(),
    created_at: schema.instant(),
    updated_at: schema.instant(),
  },
  relations: {
    account: one('account'),
    user: one('user'),
    email_submission: one('email_submission'),
    last_document_representation: one('document_representation'),
    shipments: many('shipment'),
    cargos: many('container'),
  },
  write: (reading) => ({
    id: reading.id,
    name: reading.name,
    document_type: reading.documentType,
    document_type_manual: null,
    classification_notes: null,
    source: reading.source,
    file_name: reading.fileName,
    file_content_type: reading.contentType,
    file_size_bytes: reading.bytes,
    created_at: reading.createdAt,
    updated_at: reading.updatedAt,
  }),
  link: (reading) => ({
    account: { type: 'account', id: reading.accountId },
    user: null,
    email_submission: identifierOrNull('email_submission', reading.emailSubmissionId),
    last_document_representation: identifierOrNull('document_representation', reading.representationId),
    shipments: reading.shipmentIds.map((id) => ({ type: 'shipment', id })),
    cargos: reading.containerIds.map((id) => ({ type: 'container', id })),
  }),
}

export const documentRepresentation: ResourceKind<DocumentRepresentationReading> = {
  type: 'document_representation',
  attributes: {
    schema_version: schema.text(),
    payload: { type: 'object' },
    created_at: schema.instant(),
    updated_at: schema.instant(),
  },
  relations: {},
  write: (reading) => ({
    schema_version: reading.schemaVersion,
    payload: reading.payload,
    created_at: reading.createdAt,
    updated_at: reading.createdAt,
  }),
  link: () => ({}),
}
