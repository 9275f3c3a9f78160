/** The schema of a route for the OpenAPI document: its input, and every status that it can answer. */

// The data of a route for the description is typed there.
import type {} from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import type { TSchema } from 'typebox'
import { Type } from '../../platform/json-schema.ts'
import { eventStream, flatJson, json, jsonApi } from '../http/media-type.ts'
import { reachableTypes } from '../query/query.ts'
import { exportContent } from '../responses/export-format.ts'
import { errorTable } from '../shape/error-table.ts'
import type { ResourceType } from '../shape/resource-kind.ts'
import * as schema from '../shape/schema.ts'
import { examples } from './examples.ts'

export interface OperationSpec {
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Parameters of the path, each with its description. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: TSchema
  readonly body?: TSchema
  /** True for a verb whose body may be left out. */
  readonly hasOptionalBody?: boolean
  readonly status?: number
  /** Missing when the operation can only refuse. */
  readonly answer?: TSchema | Readonly<Record<string, unknown>>
  /** Statuses besides those that every operation can give. */
  readonly refusals?: readonly number[]
  /** Statuses that other operations of this kind can give, but this one never does. */
  readonly never?: readonly number[]
  readonly isBeta?: boolean
}

const always = [400, 401, 403, 406, 429, 500, 503]
/** For every operation whose body is read, whatever the body contains. */
const withBytes = [413, 415]
const withBody = [409, ...withBytes, 422]

export function describeOperation(spec: OperationSpec): FastifySchema {
  const refusals = [
    ...always,
    ...(spec.path === undefined ? [] : [404]),
    ...(spec.body !== undefined ? withBody : spec.hasOptionalBody === true ? withBytes : []),
    ...(spec.refusals ?? []),
  ].filter((status) => !(spec.never ?? []).includes(status))
  return {
    operationId: spec.id,
    tags: [spec.tag],
    summary: spec.summary,
    ...(spec.description === undefined ? {} : { description: spec.description }),
    consumes: [jsonApi, json],
    produces: [jsonApi, json],
    security: [{ apiKey: [] }],
    ...(spec.isBeta === true ? { 'x-beta': true } : {}),
    ...(spec.path === undefined ? {} : { params: pathSchema(spec.path) }),
    ...(spec.query === undefined ? {} : { querystring: spec.query }),
    ...(spec.body === undefined ? {} : { body: withExample(spec.body, examples[spec.id]) }),
    response: {
      ...(spec.answer === undefined ? {} : { [spec.status ?? 200]: spec.answer }),
      ...Object.fromEntries(refusals.map((status) => [status, refusalSchema(status)])),
    },
  }
}

/** Returns a copy, because the code that reads bodies finds a schema by object identity. */
function withExample(body: TSchema, example: object | string | undefined): TSchema {
  return example === undefined ? body : { ...body, examples: [example] }
}

function refusalSchema(status: number): TSchema {
  const titles = Object.values(errorTable).filter((row) => row.status === status)
  return Type.Unsafe({ $ref: 'errors#', description: titles[0]?.title ?? 'Error' })
}

/** One answer in several media types. */
export type Answer = Readonly<Record<string, unknown>>

/** A JSON:API document, and the same as plain JSON. */
function describeAnswer(description: string, document: TSchema, flat: TSchema): Answer & { readonly content: object } {
  return {
    description,
    content: {
      [jsonApi]: { schema: document },
      [json]: { schema: document },
      [flatJson]: { schema: flat },
    },
  }
}

function flatOf(types: readonly ResourceType[]): TSchema {
  const description = 'Attributes are on the same level as `id` and `type`. Included relations are nested.'
  const type = Type.Unsafe({ type: 'string', enum: types })
  return Type.Object({ id: schema.text(), type }, { additionalProperties: true, description })
}

function flatListOf(types: readonly ResourceType[], meta?: TSchema, linked: TSchema = linksSchema(['self'])): TSchema {
  return schema.object({
    items: schema.list(flatOf(types)),
    links: linked,
    ...(meta === undefined ? {} : { meta }),
  })
}

const ignored = schema.optional(
  schema.list(schema.object({ parameter: schema.optional(schema.text()), pointer: schema.optional(schema.text()) }), {
    description:
      'Parameters and attributes of the request that are unknown or read-only and were ignored (`Prefer: handling=lenient`).',
  }),
)

const unanswered = schema.optional(
  schema.list(schema.object({ parameter: schema.text(), detail: schema.text() }), {
    description: 'Filters of which nothing is known, so that no row is listed.',
  }),
)

/** `others`: types that the data may have instead. */
export function documentAnswer(type: ResourceType, ...others: readonly ResourceType[]): Answer {
  return documentAnswerWithMeta({}, type, ...others)
}

/** `meta` has further members. */
export function documentAnswerWithMeta(
  meta: Parameters<typeof schema.object>[0],
  type: ResourceType,
  ...others: readonly ResourceType[]
): Answer {
  const types = [type, ...others]
  const document = schema.object({
    data: schema.anyOf(types.map(schema.ref)),
    included: includedOf(type),
    links: linksSchema(['self']),
    meta: schema.optional(schema.object({ ignored, ...meta })),
  })
  return describeAnswer(`The ${type}.`, document, flatOf(types))
}

/** For a 204. */
export const nothingBack = schema.nothing({ description: 'The request succeeded; the answer has no body.' })

export function listAnswer(type: ResourceType): Answer {
  const document = schema.object({
    data: schema.list(schema.ref(type)),
    included: includedOf(type),
    links: linksSchema(['self']),
    meta: schema.optional(schema.object({ ignored })),
  })
  return describeAnswer('All of them.', document, flatListOf([type]))
}

/** A page, or the complete list as an export. */
export function exportablePageOf(type: ResourceType): Answer {
  const answer = pageAnswer([type], { unanswered })
  return { ...answer, content: { ...answer.content, ...exportContent } }
}

export function pageOf(type: ResourceType, ...others: readonly ResourceType[]): Answer {
  return pageAnswer([type, ...others])
}

/** `meta` has further members about the complete list. */
export function pageWith(type: ResourceType, meta: Parameters<typeof schema.object>[0]): Answer {
  return pageAnswer([type], meta)
}

function pageAnswer(
  types: readonly [ResourceType, ...ResourceType[]],
  more: Parameters<typeof schema.object>[0] = {},
): ReturnType<typeof describeAnswer> {
  const whole = Type.Integer({ minimum: 0 })
  const pagination = schema.object({
    current: schema.optional(Type.Integer({ minimum: 1, description: 'Number of the page, if pages have numbers.' })),
    prev: schema.optional(whole),
    next: schema.optional(whole),
    last: schema.optional(whole),
    records: Type.Integer({ minimum: 0, description: 'Number of rows on all pages.' }),
  })
  const meta = schema.object({
    size: Type.Integer({ description: 'Number of rows on this page.' }),
    total: whole,
    total_is_estimated: schema.optional(
      Type.Literal(true, {
        description: 'True: `total` is an estimate, because counting all matches would take too long.',
      }),
    ),
    pagination,
    ignored,
    ...more,
  })
  const data = schema.list(schema.anyOf(types.map(schema.ref)))
  const linked = linksSchema(['self', 'current?', 'first', 'prev?', 'next?', 'last?'])
  const document = schema.object({ data, included: includedOf(types[0]), links: linked, meta })
  return describeAnswer('One page.', document, flatListOf(types, meta, linked))
}

/** One batch of a feed, as JSON:API or as Server-Sent Events that carry one document each. */
export function feedBatchOf(type: ResourceType): Readonly<Record<string, unknown>> {
  const whole = (description: string) => Type.Integer({ minimum: 0, description })
  const document = schema.object({
    data: schema.list(schema.ref(type)),
    included: includedOf(type),
    links: linksSchema(['self', 'next']),
    meta: schema.object({
      last_sequence: whole('The newest `sequence` of the account.'),
      size: whole('Number of events in this answer.'),
      ignored,
    }),
  })
  const stream = schema.text({
    description: `For each: \`id\` (its \`sequence\`), \`event\` (its name) and \`data\`, the document of one \`${type}\` in one line.`,
  })
  return {
    description: 'The events after `after`.',
    content: {
      [jsonApi]: { schema: document },
      [json]: { schema: document },
      [eventStream]: { schema: stream },
    },
  }
}

export function includedOf(type: ResourceType): TSchema {
  return schema.optional(schema.list(schema.anyOf(reachableTypes(type).map(schema.ref))))
}

function linksSchema(names: readonly string[]): TSchema {
  const url = schema.text({ format: 'uri' })
  return schema.object(
    Object.fromEntries(
      names.map((name) => (name.endsWith('?') ? [name.slice(0, -1), schema.optional(url)] : [name, url])),
    ),
  )
}

function pathSchema(path: Readonly<Record<string, string>>): TSchema {
  return Type.Object(
    Object.fromEntries(Object.entries(path).map(([name, description]) => [name, Type.String({ description })])),
  )
}

/** The body of a new resource: it has its type, and no id. */
export function bodyOf(type: ResourceType, attributes: TSchema, relationships?: TSchema): TSchema {
  return schema.object({ data: dataOf(type, attributes, relationships) })
}

/** The `data` of such a body. A batch has a list of these. */
export function dataOf(type: ResourceType, attributes: TSchema, relationships?: TSchema): TSchema {
  return schema.object({ type: schema.constant(type), attributes, ...makeRelationshipsOptional(relationships) })
}

/** The body of a change. It may repeat the id and the type of the address. */
export function changesBodyOf(type: ResourceType, attributes: TSchema, relationships?: TSchema): TSchema {
  return schema.object({
    data: schema.object({
      id: schema.optional(schema.text()),
      type: schema.optional(schema.constant(type)),
      attributes,
      ...makeRelationshipsOptional(relationships),
    }),
  })
}

function makeRelationshipsOptional(relationships?: TSchema): { readonly relationships?: TSchema } {
  return relationships === undefined ? {} : { relationships: schema.optional(relationships) }
}
