/** `document`, `email_submission` and `document_representation`: so far only the examples of their events show them. */

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

export interface EmailSubmissionReading extends Identified {
  readonly type: 'email_submission'
  readonly subject: string
  readonly body: string | null
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly messageId: string | null
  readonly sentAt: string | null
  readonly createdAt: string
  readonly accountId: string
  readonly documentIds: readonly string[]
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

export const emailSubmission: ResourceKind<EmailSubmissionReading> = {
  type: 'email_submission',
  attributes: {
    subject: schema.text(),
    body: schema.textOrNull(),
    from: schema.texts(),
    to: schema.texts(),
    cc: schema.texts(),
    sent_at: schema.instantOrNull(),
    message_id: schema.textOrNull(),
    in_reply_to: schema.textOrNull(),
    references: schema.texts(),
    content_type: schema.textOrNull(),
    documents_count: { type: 'integer', minimum: 0 },
    created_at: schema.instant(),
    updated_at: schema.instant(),
  },
  relations: { account: one('account'), user: one('user'), documents: many('document') },
  write: (reading) => ({
    subject: reading.subject,
    body: reading.body,
    from: reading.from,
    to: reading.to,
    cc: [],
    sent_at: reading.sentAt,
    message_id: reading.messageId,
    in_reply_to: null,
    references: [],
    content_type: null,
    documents_count: reading.documentIds.length,
    created_at: reading.createdAt,
    updated_at: reading.createdAt,
  }),
  link: (reading) => ({
    account: { type: 'account', id: reading.accountId },
    user: null,
    documents: reading.documentIds.map((id) => ({ type: 'document', id })),
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
