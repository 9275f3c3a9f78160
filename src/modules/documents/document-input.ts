/** Bodies of documents. */

import { pointerFault } from '../../api/errors/problem.ts'
import { isUuid } from '../../api/http/path-parameters.ts'
import { bodyOf, changesBodyOf } from '../../api/openapi/operation.ts'
import { closed, readOnlyOf } from '../../api/request-body/attributes.ts'
import { readAttributes, readObject } from '../../api/request-body/body.ts'
import * as schema from '../../api/shape/schema.ts'
import { type DocumentType, documentTypes } from '../../connectors/papers/document.ts'
import { isObject } from '../../domain/values/json-value.ts'
import { Type } from '../../platform/json-schema.ts'
import { document } from './document-resource.ts'
import type { Degrees } from './document-tasks-sql.ts'

const name = Type.String({ minLength: 1, maxLength: 200 })
const kind = Type.Unsafe<DocumentType | null>({
  enum: [...documentTypes, null],
  description: 'The kind of the document, set by a person. Null removes it.',
})
const signedId = Type.String({
  maxLength: 500,
  description: 'The `signed_id` that the direct upload gave.',
})
const data = Type.Unsafe<Readonly<Record<string, unknown>> | null>({
  type: ['object', 'null'],
  description:
    'The content of the document, in the form of the schema of its kind. It replaces the values that were read. Null removes it.',
})
const linkageSchema = (type: 'shipment' | 'container') =>
  schema.object({
    data: schema.list(schema.object({ type: schema.constant(type), id: schema.text() }), { maxItems: 100 }),
  })
const relationships = schema.object({
  shipments: schema.optional(linkageSchema('shipment')),
  cargos: schema.optional(linkageSchema('container')),
})
const related = { relationships: ['shipments', 'cargos'] } as const

const newDocument = Type.Object(
  {
    name: Type.Optional(Type.Union([name, Type.Null()])),
    attached_document: Type.Optional(signedId),
    signed_id: Type.Optional(signedId),
    file: Type.Optional(signedId),
    document_type_manual: Type.Optional(kind),
  },
  closed,
)
export const documentBody = bodyOf('document', newDocument, relationships)
const changes = Type.Object(
  {
    name: Type.Optional(name),
    document_type_manual: Type.Optional(kind),
    extracted_data_manual: Type.Optional(data),
  },
  closed,
)
export const documentChangesBody = changesBodyOf('document', changes, relationships)
const readOnly = readOnlyOf(document, newDocument)

interface StatedLinks {
  readonly shipmentIds?: readonly string[] | undefined
  readonly containerIds?: readonly string[] | undefined
}

/** The contract's name first, then those that clients of such uploads use elsewhere. */
const namesOfFile = ['attached_document', 'signed_id', 'file'] as const

export function readNewDocument(body: unknown): StatedLinks & {
  readonly name: string | null
  readonly signedId: string
  /** The place of the signed id in the body. */
  readonly at: string
  readonly documentTypeManual: DocumentType | null
} {
  const given = readAttributes(body, {
    type: 'document',
    id: null,
    attributes: newDocument,
    readOnly,
    ...related,
  })
  const named = namesOfFile.find((each) => given[each] !== undefined)
  const at = `/data/attributes/${named ?? namesOfFile[0]}`
  if (named === undefined) throw pointerFault('invalid', at, 'The `signed_id` of an uploaded file is needed.')
  return {
    name: given.name ?? null,
    signedId: given[named] ?? '',
    at,
    documentTypeManual: given.document_type_manual ?? null,
    ...readLinks(body),
  }
}

export function readDocumentChanges(
  body: unknown,
  id: string,
): StatedLinks & {
  readonly name?: string
  readonly documentTypeManual?: DocumentType | null
  readonly extractedDataManual?: Readonly<Record<string, unknown>> | null
} {
  const given = readAttributes(body, { type: 'document', id, attributes: changes, readOnly, ...related })
  return {
    ...(given.name === undefined ? {} : { name: given.name }),
    ...(given.document_type_manual === undefined ? {} : { documentTypeManual: given.document_type_manual }),
    ...(given.extracted_data_manual === undefined ? {} : { extractedDataManual: given.extracted_data_manual }),
    ...readLinks(body),
  }
}

function readLinks(body: unknown): StatedLinks {
  const given = membersOf(membersOf(membersOf(body)['data'])['relationships'])
  return {
    shipmentIds: readIds(given, 'shipments', 'shipment'),
    containerIds: readIds(given, 'cargos', 'container'),
  }
}

const linkedMax = 100

/** The ids of a relation to many; undefined when it is left out. */
function readIds(
  relationships: Readonly<Record<string, unknown>>,
  relation: string,
  type: string,
): readonly string[] | undefined {
  if (relationships[relation] === undefined) return undefined
  const at = `/data/relationships/${relation}/data`
  const linked = membersOf(relationships[relation])['data']
  if (!Array.isArray(linked)) throw pointerFault('invalid', at, 'This must be a list of objects with `type` and `id`.')
  if (linked.length > linkedMax) throw pointerFault('invalid', at, `This list has more than ${linkedMax} items.`)
  return linked.map((each: unknown, index) => {
    const { type: givenType, id } = membersOf(each)
    if (givenType !== type) throw pointerFault('invalid', `${at}/${index}/type`, `The type must be ${type}.`)
    if (typeof id !== 'string' || !isUuid(id))
      throw pointerFault('invalid', `${at}/${index}/id`, `There is no ${type} of this id.`)
    return id.toLowerCase()
  })
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

const rotation = Type.Object(
  {
    degrees: Type.Unsafe<Degrees>({ type: 'integer', enum: [90, 180, 270], description: 'Clockwise.' }),
  },
  closed,
)
export const rotateBody = rotation

export function readDegrees(body: unknown): Degrees {
  return readObject(body, rotation).degrees
}

const textOrNull = (extra: object) => Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], ...extra }))
const blob = Type.Object(
  {
    filename: Type.String({ minLength: 1, maxLength: 1_000 }),
    content_type: textOrNull({ maxLength: 200 }),
    byte_size: Type.Integer({ minimum: 1 }),
    checksum: Type.String({ maxLength: 100, description: 'MD5 of the file, in base64.' }),
    metadata: Type.Optional(Type.Unsafe<object | null>({ type: ['object', 'null'], description: 'Ignored.' })),
  },
  closed,
)
const upload = Type.Object(
  {
    blob,
    direct_upload_token: textOrNull({ description: 'Ignored. Some clients send it.' }),
    attachment_name: textOrNull({ description: 'Ignored. Some clients send it.' }),
  },
  closed,
)
export const uploadBody = upload

export function readUpload(body: unknown): {
  readonly fileName: string
  readonly contentType: string | null
  readonly byteSize: number
  readonly checksum: string
} {
  const given = readObject(body, upload).blob
  return {
    fileName: given.filename,
    contentType: given.content_type ?? null,
    byteSize: given.byte_size,
    checksum: given.checksum,
  }
}
