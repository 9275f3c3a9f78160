/**
 * The OpenAPI document as tests, the matrix and the fuzz run read it: its operations, the operation that a request
 * belongs to, and what is wrong with an answer by the document and by the rules of JSON:API.
 */

import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { foldSlashes } from '../../src/api/hooks/known-paths.ts'
import { registerAllResources } from '../../src/api/json-api/all-resources.ts'
import { findKind } from '../../src/api/json-api/find-kind.ts'

registerAllResources()

export type JsonSchema = { readonly [keyword: string]: unknown }

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: JsonSchema
}

interface Media {
  readonly schema: JsonSchema
  readonly example?: unknown
}

export interface Operation {
  readonly id: string
  readonly method: string
  /** With the braces of the document. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** The body that the operation takes; null when it takes none. */
  readonly body: Media | null
  /** The media type of a body that is not JSON; null when the body is JSON, and when there is none. */
  readonly bodyType: string | null
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>
  /** The operation answers without a key. */
  readonly isOpen: boolean
}

export interface AnswerBytes {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

export interface Description {
  readonly operations: readonly Operation[]
  /** Null for a request that is not in the document. */
  readonly find: (method: string, url: string) => Operation | null
  /** What is wrong with an answer to `url`; null when the answer is as documented. */
  readonly faultOf: (operation: Operation, url: string, answer: AnswerBytes) => string | null
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>
}

interface Documented {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Operation['responses']
  readonly security?: readonly unknown[]
}

/**
 * Operations that are sent by POST and only read. `inferNumber` stores its prediction, but only to compare it with the
 * outcome later.
 */
export const readsByPost: ReadonlySet<string> = new Set(['inferNumber', 'readAnswer'])

/** `document`: what `app.swagger()` gives. */
export function readDescription(document: unknown): Description {
  const { paths } = document as OpenApi
  // A schema that others refer to is compiled once.
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } })
  formats.default(ajv)
  // A time that is shown is a whole second in UTC.
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  ajv.addSchema(document as object, 'openapi')
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => readOperation(path, method, each)),
  )
  const patterns = operations.map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]*')}$`),
  }))
  return {
    operations,
    find(method, url) {
      const asked = foldSlashes(url).split('?', 1)[0] ?? ''
      const fitting = patterns.filter(({ operation, pattern }) => operation.method === method && pattern.test(asked))
      // The router does the same for each method: a path without parameters is preferred to one with parameters.
      const best = fitting.find(({ operation }) => operation.path === asked) ?? fitting[0]
      return best?.operation ?? null
    },
    faultOf(operation, url, answer) {
      const { status, text } = answer
      const what = `${operation.method} ${operation.path} → ${status}`
      const response = operation.responses[String(status)]
      if (response === undefined) return `${what} is not documented: ${text.slice(0, 300)}`
      if (status === 204 || status === 304) {
        if (text !== '') return `${what} has a body`
        return response.content === undefined ? null : `${what} is documented with a body`
      }
      const media = answer.contentType.split(';', 1)[0] ?? ''
      const documented = response.content?.[answer.contentType] ?? response.content?.[media]
      if (documented === undefined) return `${what} as ${answer.contentType} is not documented`
      if (!/[/+]json$/.test(media)) return null
      const key = response.content?.[answer.contentType] === undefined ? media : answer.contentType
      const validate = ajv.getSchema(pointerTo(operation, status, key))
      if (validate === undefined) return `${what} has no schema`
      const body: unknown = JSON.parse(text)
      if (!validate(body)) return `${what}: ${ajv.errorsText(validate.errors?.slice(0, 5))}\n${text.slice(0, 1_000)}`
      const fault = faultOfDocument(body as WireDocument, { isWhole: !/[?&]fields(\[|%5B)/i.test(url) })
      return fault === null ? null : `${what}: ${fault}`
    },
  }
}

function readOperation(path: string, method: string, each: Documented): Operation {
  const media = each.requestBody?.content ?? {}
  const content = Object.values(media)
  return {
    id: each.operationId,
    method: method.toUpperCase(),
    path,
    parameters: each.parameters ?? [],
    body: content[0] ?? null,
    bodyType: Object.keys(media).find((type) => !/[/+]json$/.test(type)) ?? null,
    responses: each.responses,
    isOpen: each.security?.length === 0,
  }
}

function pointerTo({ path, method }: Operation, status: number, media: string): string {
  const parts = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', media, 'schema']
  const pointer = parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
  return `openapi#/${pointer.join('/')}`
}

interface WireIdentifier {
  readonly type: string
  readonly id: string
}

interface WireDocument {
  readonly data?: unknown
  readonly included?: readonly (WireIdentifier & Related)[]
}

interface Related {
  readonly attributes?: object
  readonly relationships?: Readonly<Record<string, { readonly data?: unknown }>>
}

/**
 * JSON:API 1.1: no resource appears twice (Compound Documents), and each included one is linked to from another (full
 * linkage). Our own rule: without sparse fieldsets, every declared attribute is there, null when it is unknown.
 */
function faultOfDocument(
  { data, included = [] }: WireDocument,
  { isWhole }: { readonly isWhole: boolean },
): string | null {
  const primary = toList<WireIdentifier & Related>(data)
  const all = [...primary, ...included]
  if (all.some((each) => typeof each !== 'object' || typeof each.type !== 'string')) return null
  const keys = all.map(keyOf)
  const twice = keys.find((key, at) => keys.indexOf(key) !== at)
  if (twice !== undefined) return `${twice} comes twice`
  if (!isWhole) return null
  const linked = new Set(
    all.flatMap(({ relationships = {} }) =>
      Object.values(relationships).flatMap(({ data: linkage }) => toList<WireIdentifier>(linkage).map(keyOf)),
    ),
  )
  const loose = included.map(keyOf).find((key) => !linked.has(key))
  if (loose !== undefined) return `${loose} is included and nothing links to it`
  for (const { type, attributes = {} } of all) {
    const kind = findKind(type)
    // A document of another kind. The schema by which it was checked is closed and requires all members.
    if (kind === null) continue
    // `data_source` is missing when the contract has no word for the source.
    const missing = Object.keys(kind.attributes).find(
      (name) => name !== 'data_source' && !Object.hasOwn(attributes, name),
    )
    if (missing !== undefined) return `${type} lacks ${missing}`
  }
  return null
}

function keyOf({ type, id }: WireIdentifier): string {
  return `${type} ${id}`
}

/** A document's `data` is one resource, many or none. */
function toList<Each>(data: unknown): readonly Each[] {
  if (data === undefined || data === null) return []
  return Array.isArray(data) ? data : [data as Each]
}
