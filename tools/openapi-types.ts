/**
 * TypeScript types of the API, written from its OpenAPI description: each resource, and for each GET what it answers,
 * what can be included, and which parameters it has. The SDK and the portal's client are typed by them.
 */

export interface Schema {
  readonly $ref?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}
interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}
type Operations = Readonly<
  Record<
    string,
    | {
        readonly operationId?: string
        readonly parameters?: readonly {
          readonly name: string
          readonly in: string
          readonly schema?: Schema
        }[]
        readonly requestBody?: Answer
        readonly responses?: Readonly<Record<string, Answer>>
      }
    | undefined
  >
>
export interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly paths: Readonly<Record<string, Operations>>
}

const jsonApi = 'application/vnd.api+json'

/** Takes the types of the resources from the module at `resources`. */
export function writeGets(document: OpenApi, resources: string): string {
  const gets = Object.entries(document.paths)
    .flatMap(([path, operations]) => writeGet(path, operations['get']))
    .join('')
  const names = resourcesOf(document)
    .map(([name]) => typeName(name))
    .filter((name) => new RegExp(`\\b${name}\\b`).test(gets))
  return [
    '// Written from docs/openapi.json by `npm run openapi`. Do not edit.\n',
    `import type { ${names.toSorted().join(', ')} } from '${resources}'\n`,
    `export interface Gets {\n${gets}}\n`,
  ].join('\n')
}

/** An interface for each type of resource, and one that finds them by the name of the type. */
export function writeResources(document: OpenApi): string {
  const resources = resourcesOf(document)
  const types = resources.map(([name, schema]) => `export interface ${typeName(name)} ${writeSchema(schema)}\n`)
  const byType = resources.map(([name]) => `  ${name}: ${typeName(name)}\n`)
  return [...types, `export interface Resources {\n${byType.join('')}}\n`].join('\n')
}

export function resourcesOf({ components }: OpenApi): readonly (readonly [string, Schema])[] {
  return Object.entries(components.schemas).filter(([name, schema]) => schema.properties?.['type']?.const === name)
}

function writeGet(path: string, operation: Operations[string]): readonly string[] {
  const schema = operation?.responses?.['200']?.content?.[jsonApi]?.schema
  const data = schema?.properties?.['data']
  if (data === undefined) return []
  const included = schema?.properties?.['included']?.items
  const other = included === undefined ? 'never' : writeSchema(included)
  const names = (operation?.parameters ?? []).flatMap(({ name, in: place }) =>
    place === 'query' && !name.startsWith('fields[') ? [JSON.stringify(name)] : [],
  )
  const query = names.length === 0 ? 'never' : names.join(' | ')
  return [`  ${JSON.stringify(path)}: { data: ${writeSchema(data)}; included: ${other}; query: ${query} }\n`]
}

export function writeSchema(schema: Schema): string {
  if (schema.$ref !== undefined) return typeName(schema.$ref.split('/').at(-1) ?? '')
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(writeSchema))].join(' | ')
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  if (types.length === 0) return schema.properties === undefined ? 'unknown' : writeObject(schema)
  return [...new Set(types.map((type) => writeType(type, schema)))].join(' | ')
}

function writeType(type: string, schema: Schema): string {
  if (type === 'array') return `readonly (${writeSchema(schema.items ?? {})})[]`
  if (type === 'object') return writeObject(schema)
  return type === 'integer' ? 'number' : type
}

function writeObject({ properties = {}, required = [], additionalProperties }: Schema): string {
  const members = Object.entries(properties).map(
    ([name, member]) => `readonly ${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${writeSchema(member)}`,
  )
  if (typeof additionalProperties === 'object' && members.length === 0)
    return `Readonly<Record<string, ${writeSchema(additionalProperties)}>>`
  if (members.length === 0) return 'Readonly<Record<string, unknown>>'
  return `{ ${members.join('; ')} }`
}

/** `shipping_line` → `ShippingLine`. */
export function typeName(name: string): string {
  return name
    .split('_')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
}
