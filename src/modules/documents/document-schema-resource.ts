/** `document_schema`: what can be read of a kind of document, as JSON Schema, in one version. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { readableTypes } from '../../connectors/papers/document.ts'
import type { DocumentSchema } from '../../connectors/papers/schemas/schemas.ts'
import { Type } from '../../platform/json-schema.ts'

export interface DocumentSchemaReading extends IdentifiedReading {
  readonly type: 'document_schema'
  readonly schema: DocumentSchema
}

export function readDocumentSchema(found: DocumentSchema): DocumentSchemaReading {
  return { type: 'document_schema', id: `${found.documentType}@${found.version}`, schema: found }
}

export const documentSchema: ResourceKind<DocumentSchemaReading> = {
  type: 'document_schema',
  isNamed: true,
  attributes: {
    document_type: schema.oneOf(readableTypes),
    label: schema.text(),
    schema_version: schema.text(),
    full_version: schema.text({ description: 'Kind and version, as in the URL.' }),
    current: Type.Boolean(),
    draft: Type.Boolean({ description: 'True: the schema is a draft and is not used to read documents.' }),
    active_at: schema.instantOrNull(),
    schema_format: schema.constant('json_schema'),
    description: schema.textOrNull(),
    schema_payload: Type.Unsafe({ type: 'object' }),
    created_at: schema.instant(),
    updated_at: schema.instant(),
  },
  relations: {},
  write: ({ id, schema: found }) => ({
    document_type: found.documentType,
    label: found.label,
    schema_version: found.version,
    full_version: id,
    current: found.isCurrent,
    draft: found.isDraft,
    active_at: found.activeAt,
    schema_format: 'json_schema',
    description: found.description,
    schema_payload: found.payload,
    created_at: found.createdAt,
    // A version never changes.
    updated_at: found.createdAt,
  }),
  link: () => ({}),
  self: ({ id }) => `/document_schemas/${id}`,
}
