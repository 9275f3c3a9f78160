/**
 * What the TypeScript SDK knows of the API, written from the OpenAPI description: the types of resources and operations,
 * and a small table of operations that is there when a program runs.
 */

import { type OpenApi, type Schema, writeResources, writeSchema } from './openapi-types.ts'

export type Operation = NonNullable<OpenApi['paths'][string]['get']>
export interface Described {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly operation: Operation
}
/**
 * `one` and `many`: resources. `plain`: one that is no record, such as what is inferred of a number. `json`: another
 * document. `bytes`: anything else.
 */
export type Answers = 'one' | 'many' | 'plain' | 'json' | 'bytes' | 'nothing'

const jsonApi = 'application/vnd.api+json'
const head = '// Written from docs/openapi.json by `npm run openapi`. Do not edit.\n'

export function writeSdkTypes(document: OpenApi): string {
  const members = operationsOf(document).map(
    ({ name, method, path, operation }) =>
      `  ${name}: { method: ${JSON.stringify(method)}; path: ${JSON.stringify(path)}; ids: [${idsOf(path).join(', ')}]; ` +
      `query: ${writeQuery(operation)}; body: ${writeBody(operation)}; answers: '${answersOf(operation)}'; ` +
      `data: ${writeData(operation)} }\n`,
  )
  return [head, writeResources(document), `export interface Operations {\n${members.join('')}}\n`].join('\n')
}

/** Method, path, what is answered, and of an operation with a body: the type of its resource, `json` or `bytes`. */
export function writeSdkTable(document: OpenApi): string {
  const rows = operationsOf(document).map(({ name, method, path, operation }) => {
    const body = bodyType(operation) ?? (bodyOf(operation) === null ? 'bytes' : 'json')
    const row = [method, path, answersOf(operation), ...(operation.requestBody === undefined ? [] : [body])]
    return `  ${name}: ${JSON.stringify(row)},\n`
  })
  return [head, `export const operations = {\n${rows.join('')}} as const\n`].join('\n')
}

export function operationsOf({ paths }: OpenApi): readonly Described[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      operation?.operationId === undefined
        ? []
        : [{ name: operation.operationId, method: method.toUpperCase(), path, operation }],
    ),
  )
}

function idsOf(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => `${name}: string`)
}

export function answersOf(operation: Operation): Answers {
  const schema = answerOf(operation)
  if (schema === null) return contentTypes(operation).length === 0 ? 'nothing' : 'bytes'
  const data = schema.properties?.['data']
  if (data === undefined) return 'json'
  if (schema.properties?.['links'] === undefined)
    return data.properties?.['attributes'] === undefined ? 'json' : 'plain'
  return data.type === 'array' ? 'many' : 'one'
}

function writeData(operation: Operation): string {
  const schema = answerOf(operation)
  const data = schema?.properties?.['data']
  switch (answersOf(operation)) {
    case 'one':
    case 'plain':
      return writeSchema(data ?? {})
    case 'many':
      return writeSchema(data?.items ?? {})
    case 'json':
      return writeSchema(schema ?? {})
    case 'bytes':
      return 'Response'
    case 'nothing':
      return 'null'
  }
}

/** Of several good statuses the one with the richest answer: a dry run answers 200, the real one 201. */
export function answerOf({ responses = {} }: Operation): Schema | null {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const schemas = good.flatMap(([, { content = {} }]) => content[jsonApi]?.schema ?? [])
  return schemas.find(({ properties }) => properties?.['data'] !== undefined) ?? schemas[0] ?? null
}

function contentTypes({ responses = {} }: Operation): readonly string[] {
  return Object.entries(responses).flatMap(([status, { content = {} }]) =>
    status.startsWith('2') ? Object.keys(content) : [],
  )
}

/** The type in `data.type` of a body that holds one resource. */
export function bodyType(operation: Operation): string | null {
  const type = bodyOf(operation)?.properties?.['data']?.properties?.['type']?.const
  return typeof type === 'string' ? type : null
}

export function bodyOf({ requestBody }: Operation): Schema | null {
  return requestBody?.content?.[jsonApi]?.schema ?? null
}

function writeBody(operation: Operation): string {
  if (operation.requestBody === undefined) return 'never'
  const schema = bodyOf(operation)
  if (schema === null) return 'string | Blob | Uint8Array<ArrayBuffer>'
  if (bodyType(operation) === null) return writeSchema(schema)
  const { attributes = {}, relationships } = schema.properties?.['data']?.properties ?? {}
  const related = relationships === undefined ? '' : ` & { readonly relationships?: ${writeSchema(relationships)} }`
  return writeSchema(attributes) + related
}

/** `filter[pod_eta_at][start]` becomes `filter: { pod_eta_at: { start } }`. A parameter may be a value and have members. */
interface Nested {
  value: string | null
  readonly members: Map<string, Nested>
}

function writeQuery({ parameters = [] }: Operation): string {
  const query: Nested = { value: null, members: new Map() }
  for (const { name, in: place, schema = {} } of parameters) {
    // Includes and fields are typed by the resource; the formats of an export are no resources. A list is one value.
    if (place !== 'query' || /^(include|format|fields\[.*)$|\[\]$/.test(name)) continue
    let at = query
    for (const part of name.split(/[[\]]+/).filter((each) => each !== '')) {
      const below: Nested = at.members.get(part) ?? { value: null, members: new Map() }
      at.members.set(part, below)
      at = below
    }
    at.value = writeParameter(name.split(/[[\]]+/).findLast((each) => each !== '') ?? name, schema)
  }
  return writeNested(query)
}

function writeParameter(name: string, schema: Schema): string {
  const isTime = ['start', 'end', 'as_of', 'since', 'until'].includes(name) && schema.format !== 'date'
  return writeSchema(schema) + (isTime ? ' | Date' : '')
}

function writeNested({ members }: Nested): string {
  const written = [...members].map(([name, member]) => {
    const texts = [member.value, member.members.size === 0 ? null : writeNested(member)]
    const text = texts.filter((each) => each !== null).join(' | ')
    // The name of a custom field is the account's own.
    return name === 'api_slug' ? 'readonly [slug: string]: string' : `readonly ${JSON.stringify(name)}?: ${text}`
  })
  return written.length === 0 ? 'Record<never, never>' : `{ ${written.join('; ')} }`
}
