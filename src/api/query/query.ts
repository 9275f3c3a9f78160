/**
 * Query strings. Each route declares its parameters, and gets them checked, typed and documented. Brackets may be bare
 * or percent-encoded (the router decodes them). An unknown parameter, or one given twice, is refused.
 */

import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { PageRequest } from '../../db/listing/page.ts'
import { isSortKeysOrder } from '../../db/listing/sorted-listing.ts'
import { Type } from '../../platform/json-schema.ts'
import { parameterFault } from '../errors/problem.ts'
import type { Fieldsets } from '../json-api/document.ts'
import { findKind } from '../json-api/find-kind.ts'
import { type IncludeTree, parseInclude } from '../json-api/include.ts'
import type { ResourceType } from '../shape/resource-kind.ts'
import { arraySeparator, type Filter } from './filters.ts'
import { ignoreIfLenient, type LenientRequest } from './lenience.ts'
import { type Orders, readCursor, readOrder, sortSchema } from './order.ts'

export type Filters = Readonly<Record<string, Filter<unknown>>>
export type FilterValues<Of extends Filters> = {
  readonly [Name in keyof Of]: Of[Name] extends Filter<infer Value> ? Value : never
}

export interface QuerySpec<Of extends Filters, Order extends string> extends Orders<Order> {
  /** Type of the primary data. */
  readonly type: ResourceType
  readonly filters?: Of
  /** Parameters that are accepted, because clients send them, but have no effect. */
  readonly ignores?: Filters
  readonly isPaged?: boolean
  /** The list can also be paged by position. Then page numbers end at `numberedRowsMax`. */
  readonly hasCursors?: boolean
  /** What is included when `include` is not given. */
  readonly includes?: string
  /** Names in `include` that mean relationship paths (a comma-separated list), for clients that name types instead. */
  readonly includeAliases?: Readonly<Record<string, string>>
}

export interface ReadQuery<Of extends Filters, Order extends string> {
  readonly filter: FilterValues<Of>
  readonly order: Order
  readonly page: PageRequest
  /** Null when nothing is to be included. */
  readonly include: IncludeTree | null
  readonly fields: Fieldsets
}

export interface Query<Of extends Filters, Order extends string> {
  /** Schema for the OpenAPI document. */
  readonly schema: TSchema
  readonly read: (request: QueryRequest) => ReadQuery<Of, Order>
}

/** What is read of a request. A query that was stored is read the same way. */
export type QueryRequest = Pick<FastifyRequest, 'query'> & LenientRequest

const pageSizeDefault = 30
const pageSizeMax = 100

export function defineQuery<const Of extends Filters, const Order extends string = never>(
  spec: QuerySpec<Of, Order>,
): Query<Of, Order> {
  const filters = [...Object.values(spec.filters ?? {}), ...Object.values(spec.ignores ?? {})]
  const names = new Set(filters.flatMap(({ parameters }) => Object.keys(parameters)))
  const patterns = filters.flatMap(({ pattern }) => pattern ?? [])
  if (spec.isPaged) for (const name of ['page[number]', 'page[size]']) names.add(name)
  if (spec.hasCursors) for (const name of ['page[after]', 'page[before]']) names.add(name)
  if (spec.orders !== undefined) names.add('sort')
  // Routes are loaded before the kinds of resources are given, so these two are known when they are first needed.
  let schema: TSchema | null = null
  let hasRelations: boolean | null = null
  return {
    get schema() {
      schema ??= writeSchema(spec)
      return schema
    },
    read(request) {
      hasRelations ??= relationsOf(spec.type).length > 0
      if (hasRelations) names.add('include')
      const texts = readParameterTexts(request, { names, patterns, hasFields: true })
      const order = readOrder(spec, texts.get('sort'), request)
      request.unanswered = Object.values(spec.filters ?? {}).flatMap((filter) => filter.unanswered?.(texts) ?? [])
      const include = resolveAliases(texts.get('include'), spec.includeAliases) ?? spec.includes
      return {
        filter: readFilters(spec.filters, texts),
        order,
        page: spec.hasCursors ? readCursorPage(texts, order) : readPage(texts),
        include: include === undefined ? null : parseInclude(spec.type, include),
        fields: readFields(texts),
      }
    },
  }
}

/** Of an address that answers no resources: filters alone, no fields and no relations. */
export function defineFilters<const Of extends Filters>(
  filters: Of,
): { readonly schema: TSchema; readonly read: (request: QueryRequest) => FilterValues<Of> } {
  const all = Object.values(filters)
  const names = new Set(all.flatMap(({ parameters }) => Object.keys(parameters)))
  const patterns = all.flatMap(({ pattern }) => pattern ?? [])
  return {
    schema: writeParameters(all, Object.assign({}, ...all.map(({ parameters }) => parameters))),
    read: (request) => readFilters(filters, readParameterTexts(request, { names, patterns, hasFields: false })),
  }
}

function resolveAliases(
  include: string | undefined,
  aliases: Readonly<Record<string, string>> = {},
): string | undefined {
  return include
    ?.split(',')
    .map((path) => (Object.hasOwn(aliases, path.trim()) ? aliases[path.trim()] : path))
    .join()
}

/** Refuses every parameter. For addresses that have none. */
export function refuseParameters(request: FastifyRequest): void {
  readParameterTexts(request, { names: new Set(), patterns: [], hasFields: false })
}

/** Texts by name of the parameter. */
type ParameterTexts = ReadonlyMap<string, string>

function readParameterTexts(
  request: QueryRequest,
  known: {
    readonly names: ReadonlySet<string>
    readonly patterns: readonly RegExp[]
    readonly hasFields: boolean
  },
): ParameterTexts {
  const isKnown = (name: string): boolean =>
    known.names.has(name) ||
    (known.hasFields && /^fields\[[a-z_]+\]$/.test(name)) ||
    known.patterns.some((pattern) => pattern.test(name))
  const texts = new Map<string, string>()
  for (const [name, value] of Object.entries(request.query as Record<string, unknown>)) {
    const printableName = name.replace(/[^\x20-\x7e]/g, '?').slice(0, 100)
    if (!isKnown(name)) {
      if (ignoreIfLenient(request, { parameter: printableName })) continue
      throw parameterFault('malformed', printableName, `There is no query parameter \`${printableName}\` here.`)
    }
    const given = name.endsWith('[]') && Array.isArray(value) ? value : [value]
    if (!given.every((each) => typeof each === 'string'))
      throw parameterFault('malformed', printableName, 'This parameter is given more than once.')
    if (given.some((each) => /[\p{Cc}\ufffd]/u.test(each)))
      throw parameterFault('malformed', printableName, 'The value has control characters, or is not valid UTF-8.')
    texts.set(name, given.join(arraySeparator))
  }
  return texts
}

function readFilters<Of extends Filters>(filters: Of | undefined, texts: ParameterTexts): FilterValues<Of> {
  const entries = Object.entries(filters ?? {}).map(([name, filter]) => [name, filter.read(texts)])
  return Object.fromEntries(entries) as FilterValues<Of>
}

function readPage(texts: ParameterTexts): PageRequest {
  const number = readIntegerParameter(texts, 'page[number]', { fallback: 1, max: 1_000_000_000 })
  const size = readIntegerParameter(texts, 'page[size]', { fallback: pageSizeDefault, max: 1_000_000_000 })
  return { number, size: Math.min(size, pageSizeMax) }
}

/** Rows that can be reached by page number. A deep page costs as much as counting up to its first row. */
export const numberedRowsMax = 10_000

function readCursorPage(texts: ParameterTexts, order: string): PageRequest {
  const page = readPage(texts)
  const isByKeys = isSortKeysOrder(order)
  const position = ['page[after]', 'page[before]'].find((name) => texts.has(name))
  if (isByKeys && position !== undefined)
    throw parameterFault('malformed', position, 'A list in this `sort` has no positions. Use `page[number]`.')
  if ((page.number - 1) * page.size >= numberedRowsMax) {
    const further = isByKeys
      ? 'For later rows add a filter.'
      : 'For later rows use `page[after]`, as `links.next` does.'
    throw parameterFault(
      'invalid',
      'page[number]',
      `Page numbers reach only to row ${numberedRowsMax.toLocaleString('en-US')}. ${further}`,
    )
  }
  if (isByKeys) return page
  return { ...page, cursor: readCursor(texts, order) }
}

function readIntegerParameter(
  texts: ParameterTexts,
  name: string,
  range: { readonly fallback: number; readonly max: number },
): number {
  const text = texts.get(name)
  if (text === undefined) return range.fallback
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > range.max) {
    throw parameterFault('invalid', name, `\`${name}\` must be a whole number from 1 to ${range.max}.`)
  }
  return value
}

function readFields(texts: ParameterTexts): Fieldsets {
  const fields = new Map<string, ReadonlySet<string>>()
  for (const [name, text] of texts) {
    const type = /^fields\[([a-z_]+)\]$/.exec(name)?.[1]
    if (type === undefined) continue
    const kind = findKind(type)
    if (kind === null) throw parameterFault('malformed', name, `There is no resource type \`${type}\`.`)
    const wanted = text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
    const unknown = wanted.find((each) => !Object.hasOwn(kind.attributes, each) && !Object.hasOwn(kind.relations, each))
    if (unknown !== undefined)
      throw parameterFault('malformed', name, `\`${type}\` has no field \`${unknown.slice(0, 80)}\`.`)
    fields.set(type, new Set(wanted))
  }
  return fields
}

function relationsOf(type: ResourceType): readonly string[] {
  return Object.keys(findKind(type)?.relations ?? {})
}

function writeSchema(spec: QuerySpec<Filters, string>): TSchema {
  const properties: Record<string, TSchema> = {}
  for (const { parameters } of Object.values(spec.filters ?? {})) Object.assign(properties, parameters)
  if (spec.isPaged) {
    properties['page[number]'] = Type.Integer({ minimum: 1, default: 1 })
    properties['page[size]'] = Type.Integer({
      minimum: 1,
      default: pageSizeDefault,
      description: `More than ${pageSizeMax} counts as ${pageSizeMax}.`,
    })
  }
  if (spec.hasCursors) {
    const what = 'Take the position from `links`. Use it instead of `page[number]`.'
    properties['page[after]'] = Type.String({
      description: `Lists the rows after this position. An empty value means the beginning of the list. ${what}`,
      maxLength: 500,
    })
    properties['page[before]'] = Type.String({
      description: `Lists the rows before this position. An empty value means the end of the list. ${what}`,
      maxLength: 500,
    })
  }
  if (spec.orders !== undefined) properties['sort'] = sortSchema(spec)
  const relations = relationsOf(spec.type).map((name) => `\`${name}\``)
  if (relations.length > 0) {
    const description = `Comma list of relationship paths, up to three relations deep, from ${relations.join(', ')}.`
    properties['include'] = Type.String({
      description,
      ...(spec.includes === undefined ? {} : { default: spec.includes }),
    })
  }
  for (const type of reachableTypes(spec.type)) {
    properties[`fields[${type}]`] = Type.String({
      description: `Comma list of the fields of \`${type}\` to show.`,
    })
  }
  return writeParameters(Object.values(spec.filters ?? {}), properties)
}

/** Parameters of an obligatory filter are required, all others may be left out. */
function writeParameters(filters: readonly Filter<unknown>[], properties: Readonly<Record<string, TSchema>>): TSchema {
  const required = new Set(
    filters.flatMap(({ parameters, isRequired }) => (isRequired === true ? Object.keys(parameters) : [])),
  )
  const entries = Object.entries(properties).map(([name, each]) => [
    name,
    required.has(name) ? each : Type.Optional(each),
  ])
  return Type.Object(Object.fromEntries(entries))
}

/** The types that a document about a resource of this type can contain. */
export function reachableTypes(type: ResourceType): readonly ResourceType[] {
  const reached = new Set<ResourceType>([type])
  for (const each of reached) {
    for (const { to } of Object.values(findKind(each)?.relations ?? {})) {
      for (const next of to) if (findKind(next) !== null) reached.add(next)
    }
  }
  return [...reached]
}
