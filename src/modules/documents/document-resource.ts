/** `document`: a file that was sent to the account. */

import { identifierOrNull, type ResourceKind, toMany, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { documentTypes, unreadableReasons } from '../../connectors/papers/document.ts'
import { Type } from '../../platform/json-schema.ts'
import { linkFinders } from './document-links-sql.ts'
import { documentSources, documentStates, type ModelState, modelReasons, modelStates } from './documents-sql.ts'
import type { DocumentReading } from './list-documents-sql.ts'

/** What the contract has no attribute for: how far the reading is, what a person wrote, and why it is linked. */
const documentMeta = {
  state: schema.oneOf(documentStates, { description: '`failed`: the document could not be read.' }),
  failure: Type.Unsafe({
    type: ['object', 'null'],
    properties: {
      reason: schema.oneOf(unreadableReasons),
      detail: schema.text(),
    },
    description: 'Why the document could not be read.',
  }),
  page_count: schema.integerOrNull(),
  model: Type.Unsafe({
    type: ['object', 'null'],
    properties: {
      state: schema.oneOf(modelStates, {
        description: '`waiting`: the model did not answer and is asked again.',
      }),
      reason: schema.oneOfOrNull(modelReasons, { description: 'Why the model did not answer.' }),
    },
    description: 'The result of the question to the language model. Null if it was not asked.',
  }),
  extracted_data_manual: Type.Unsafe({
    type: ['object', 'null'],
    description: 'Values that a person wrote. They replace the values that were read.',
  }),
  links: schema.list(
    schema.object({
      shipment_id: schema.id(),
      container_id: schema.textOrNull({ format: 'uuid' }),
      found_by: schema.oneOf(linkFinders),
    }),
    { description: 'For each link: the kind of number by which it was found, or that a person set it.' },
  ),
  link_candidates: schema.list(
    schema.object({
      shipment_id: schema.id(),
      because: schema.oneOf(['ambiguous', 'customer']),
      detail: schema.text(),
    }),
    {
      description: 'Shipments to which the document may belong. A person decides, with the relationship `shipments`.',
    },
  ),
}

const parsed = Type.Unsafe({
  type: ['object', 'null'],
  properties: {
    packetSegment: schema.object({ startPage: Type.Integer({ minimum: 1 }), endPage: Type.Integer({ minimum: 1 }) }),
  },
  description: 'Its pages in a file with several documents. Always null: Landfall does not divide files.',
})

export const document: ResourceKind<DocumentReading> = {
  type: 'document',
  attributes: {
    id: schema.id(),
    name: schema.text(),
    document_type: schema.oneOf(documentTypes),
    document_type_manual: schema.oneOfOrNull(documentTypes),
    classification_notes: schema.textOrNull(),
    source: schema.oneOf(documentSources),
    file_name: schema.text(),
    file_content_type: schema.textOrNull(),
    file_size_bytes: schema.integerOrNull(),
    parsed,
    created_at: schema.instant(),
    updated_at: schema.instant(),
  },
  relations: {
    account: toOne('account'),
    user: toOne('user'),
    email_submission: toOne('email_submission'),
    last_document_representation: toOne('document_representation'),
    parent_document: toOne('document'),
    shipments: toMany('shipment'),
    cargos: toMany('container'),
  },
  write: (reading) => ({
    id: reading.id,
    name: reading.name,
    document_type: reading.documentType,
    document_type_manual: reading.documentTypeManual,
    classification_notes: reading.classificationNotes,
    source: reading.source,
    file_name: reading.fileName,
    file_content_type: reading.fileContentType,
    file_size_bytes: reading.fileSizeBytes,
    parsed: null,
    created_at: reading.createdAt,
    updated_at: reading.updatedAt,
  }),
  link: (reading) => ({
    account: { type: 'account', id: reading.accountId },
    user: identifierOrNull('user', reading.userId),
    email_submission: identifierOrNull('email_submission', reading.emailSubmissionId),
    last_document_representation: identifierOrNull('document_representation', reading.representationId),
    parent_document: null,
    shipments: shipmentIdsOf(reading).map((id) => ({ type: 'shipment', id })),
    cargos: containerIdsOf(reading).map((id) => ({ type: 'container', id })),
  }),
  self: ({ id }) => `/documents/${id}`,
  moreLinks: { download: ({ id }) => `/documents/${id}/download_url` },
  meta: {
    properties: documentMeta,
    write: (reading) => ({
      state: reading.state,
      failure:
        reading.failureReason === null ? null : { reason: reading.failureReason, detail: reading.failureDetail ?? '' },
      page_count: reading.pageCount,
      model: reading.model === null ? null : writeModel(reading.model),
      extracted_data_manual: reading.extractedDataManual,
      links: reading.links.map(({ shipmentId, containerId, foundBy }) => ({
        shipment_id: shipmentId,
        container_id: containerId,
        found_by: foundBy,
      })),
      link_candidates: reading.candidates.map(({ shipmentId, because, detail }) => ({
        shipment_id: shipmentId,
        because,
        detail,
      })),
    }),
  },
}

function writeModel(model: ModelState) {
  return { state: model.state, reason: model.state === 'answered' ? null : model.reason }
}

export function shipmentIdsOf({ links }: Pick<DocumentReading, 'links'>): readonly string[] {
  return [...new Set(links.map(({ shipmentId }) => shipmentId))]
}

export function containerIdsOf({ links }: Pick<DocumentReading, 'links'>): readonly string[] {
  return [...new Set(links.flatMap(({ containerId }) => containerId ?? []))]
}
