/** `document_representation`: what was read of a document, each value with its place on the page. */

import type { ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { documentTypes } from '../../connectors/papers/document.ts'
import { Type } from '../../platform/json-schema.ts'
import type { RepresentationReading } from './list-documents-sql.ts'

const fraction = Type.Number({ minimum: 0, maximum: 1 })

const field = schema.object({
  name: schema.text({ description: 'Its path in the payload: `containers[0].number`.' }),
  value: Type.Unsafe({ type: ['string', 'number', 'boolean'] }),
  text: schema.text({ description: 'The text as it is printed.' }),
  confidence: fraction,
  by: schema.oneOf(['rules', 'model'], {
    description:
      '`model`: a language model read it. Such a value is not used for a shipment until a person confirms it.',
  }),
  page: Type.Integer({ minimum: 1 }),
  box: schema.object(
    { left: fraction, top: fraction, right: fraction, bottom: fraction },
    { description: 'Box in fractions of the page as it is shown, from its upper left corner.' },
  ),
})

export const documentRepresentation: ResourceKind<RepresentationReading> = {
  type: 'document_representation',
  attributes: {
    schema_version: schema.text(),
    payload: Type.Unsafe({
      type: 'object',
      description: 'In the form of /v2/document_schemas/<document_type>@<schema_version>.',
    }),
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
  meta: {
    properties: {
      document_type: schema.oneOf(documentTypes),
      by_person: Type.Boolean({ description: 'True: a person wrote it, with `extracted_data_manual`.' }),
      reader_version: schema.integerOrNull({ description: 'Version of the rules that read it.' }),
      fields: schema.list(field, {
        description: 'Each value that was read, with its place in the document. Empty if a person wrote the values.',
      }),
    },
    write: (reading) => ({
      document_type: reading.documentType,
      by_person: reading.isManual,
      reader_version: reading.readerVersion,
      fields: reading.fields.map(({ name, value, text, confidence, by, page, box }) => ({
        name,
        value,
        text,
        confidence,
        by,
        page,
        box,
      })),
    }),
  },
}
