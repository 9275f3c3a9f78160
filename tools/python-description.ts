/**
 * What the Python SDK knows of the API, written from the OpenAPI description: a class for each type of resource, and a
 * method for each operation. Python checks no types when it runs; editors and type checkers read them.
 */

import { type OpenApi, resourcesOf, type Schema, typeName } from './openapi-types.ts'
import { answerOf, answersOf, bodyOf, bodyType, type Described, operationsOf } from './sdk-description.ts'

const head = '# Written from docs/openapi.json by `npm run openapi`. Do not edit.\n'
/** Words of Python that no name can be, and names that the methods have already. */
const reserved = new Set([
  'from',
  'import',
  'in',
  'is',
  'not',
  'or',
  'and',
  'class',
  'def',
  'for',
  'if',
  'None',
  'self',
])

export function writePythonResources(document: OpenApi): string {
  const resources = resourcesOf(document)
  const classes = resources.map(([name, schema]) => {
    const { attributes, relationships } = schema.properties ?? {}
    const members = [
      ...Object.entries(attributes?.properties ?? {}).map(([key, value]) => [key, writeType(value)] as const),
      ...Object.entries(relationships?.properties ?? {}).map(([key, value]) => [key, writeLinked(value)] as const),
    ]
    const lines = members
      .filter(([key]) => key !== 'id' && key !== 'type' && isName(key))
      .map(([key, type]) => `    ${key}: ${type}\n`)
    return `class ${typeName(name)}(Resource):\n${lines.length === 0 ? '    pass\n' : lines.join('')}`
  })
  const byType = resources.map(([name]) => `    "${name}": ${typeName(name)},\n`).join('')
  return [
    `${head}"""The types of resources, for editors and type checkers."""\n`,
    'from __future__ import annotations\n',
    'from typing import Any, Dict, List, Mapping, Optional, Type, Union\n\nfrom .resource import Resource\n\n',
    `${classes.join('\n\n')}\n`,
    `CLASSES: Mapping[str, Type[Resource]] = {\n${byType}}\n`,
  ].join('\n')
}

export function writePythonOperations(document: OpenApi): string {
  const known = new Set(resourcesOf(document).map(([name]) => typeName(name)))
  const operations = operationsOf(document).map((each) => writeOperation(each, known))
  const used = [...known].filter((name) => operations.some((text) => new RegExp(`\\b${name}\\b`).test(text)))
  return [
    `${head}"""A method for each operation of the API, with its name."""\n`,
    'from __future__ import annotations\n',
    'import datetime\nfrom typing import Any, Mapping, Optional, Sequence, Union\n',
    'from .asking import Asking, Fields\nfrom .pages import Pages\nfrom .resources import (',
    `${used
      .toSorted()
      .map((name) => `    ${name},\n`)
      .join('')})\n`,
    'Body = Union[str, bytes]\nTime = Union[str, datetime.datetime, None]\n\n',
    `class Operations(Asking):\n${operations.join('\n')}`,
  ].join('\n')
}

function writeOperation({ name, method, path, operation }: Described, known: ReadonlySet<string>): string {
  const answers = answersOf(operation)
  const ids = [...path.matchAll(/\{([^}]+)\}/g)].map(([, id = '']) => `${snake(id)}: str`)
  const { parameters = [], summary = '' } = operation as typeof operation & { readonly summary?: string }
  const inQuery = parameters.filter(({ in: place, name: key }) => place === 'query' && key !== 'format')
  const top = [...new Set(inQuery.map(({ name: key }) => key.split('[')[0] ?? key))].filter(isName)
  const query = top.map((key) => `"${key}": ${key}`).join(', ')
  const kind = operation.requestBody === undefined ? null : bodyKind(operation)
  const isMany = answers === 'many'
  const options = [
    ...top.map((key) => writeOption(key, inQuery)),
    ...(kind === 'bytes' ? ['content_type: Optional[str] = None'] : []),
    ...(method === 'PATCH' || method === 'PUT' ? ['if_match: Optional[str] = None'] : []),
    ...(method === 'POST' ? ['idempotency_key: Optional[str] = None'] : []),
  ]
  const passed = [
    ...(kind === null ? [] : [`kind="${kind}"`, `body=${bodyName(kind)}`]),
    ...(kind === 'bytes' ? ['content_type=content_type'] : []),
    ...(method === 'PATCH' || method === 'PUT' ? ['if_match=if_match'] : []),
    ...(method === 'POST' ? ['idempotency_key=idempotency_key'] : []),
  ]
  const body = kind === null ? [] : [`${bodyName(kind)}: ${bodyTypes[bodyName(kind)]}`]
  const given = ['self', ...ids, ...body, ...(options.length === 0 ? [] : ['*', ...options])]
  const idNames = ids.map((each) => `${each.split(':')[0]},`).join(' ')
  const asked = [`"${method}"`, `"${path}"`, `(${idNames})`, `{${query}}`, ...(isMany ? [] : passed)]
  const returned = returnedBy(answers, operation, known)
  return [
    `    def ${snake(name)}(`,
    ...given.map((each) => `        ${each},`),
    `    ) -> ${returned}:`,
    `        """${summary.replaceAll('"', "'")}. `,
    `        \`${method} ${path}\``,
    '        """',
    `        ${answers === 'nothing' ? '' : 'return '}self._${answers === 'plain' ? 'one' : answers}(${asked.join(', ')})`,
    '',
  ]
    .map((line) => line.trimEnd())
    .join('\n')
}

const bodyTypes: Readonly<Record<string, string>> = {
  attributes: 'Mapping[str, Any]',
  document: 'Any',
  content: 'Body',
}

function bodyName(kind: string): string {
  return kind === 'bytes' ? 'content' : kind === 'json' ? 'document' : 'attributes'
}

function bodyKind(operation: Described['operation']): string {
  return bodyType(operation) ?? (bodyOf(operation) === null ? 'bytes' : 'json')
}

function writeOption(key: string, parameters: readonly { readonly name: string; readonly schema?: Schema }[]): string {
  if (key === 'include') return 'include: Sequence[str] = ()'
  if (key === 'fields') return 'fields: Fields = None'
  const own = parameters.find(({ name }) => name === key)
  if (own === undefined) return `${key}: Optional[Mapping[str, Any]] = None`
  if (['as_of', 'since', 'until'].includes(key)) return `${key}: Time = None`
  return `${key}: Optional[${writeType({ ...own.schema }).replace(/^Optional\[(.*)\]$/, '$1')}] = None`
}

function returnedBy(answers: string, operation: Described['operation'], known: ReadonlySet<string>): string {
  if (answers === 'nothing') return 'None'
  if (answers === 'bytes') return 'bytes'
  if (answers === 'json' || answers === 'plain') return 'Any'
  const data = answerOf(operation)?.properties?.['data']
  const type = writeType(answers === 'many' ? (data?.items ?? {}) : (data ?? {}))
  // An answer without a name of its own is read all the same.
  const named = type.match(/\w+/g)?.every((each) => known.has(each) || each === 'Union' || each === 'Optional')
  const shown = named === true ? type : 'Any'
  return answers === 'many' ? `Pages[${shown}]` : shown
}

function writeLinked(schema: Schema): string {
  const data = schema.properties?.['data']
  const variants = data?.anyOf ?? [data ?? {}]
  const isMany = variants.some(({ type }) => type === 'array')
  const types = variants.flatMap((each) => typesIn(each.items ?? each))
  const names = [...new Set(types)].map(typeName)
  const one = names.length === 0 ? 'Any' : names.length === 1 ? `${names[0]}` : `Union[${names.join(', ')}]`
  return isMany ? `List[${one}]` : `Optional[${one}]`
}

/** The types that an identifier can have. */
function typesIn(schema: Schema): readonly string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(typesIn)
  const type = schema.properties?.['type']
  const named = type?.enum ?? (type?.const === undefined ? [] : [type.const])
  return named.map(String)
}

const plain: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  object: 'Dict[str, Any]',
}

function writeType(schema: Schema): string {
  if (schema.$ref !== undefined) return typeName(schema.$ref.split('/').at(-1) ?? '')
  if ('const' in schema) return typeOfValue(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map(typeOfValue))
  if (schema.anyOf !== undefined) return union(schema.anyOf.map(writeType))
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  if (types.length === 0) return schema.properties === undefined ? 'Any' : 'Dict[str, Any]'
  return union(
    types.map((type) =>
      type === 'array' ? `List[${writeType(schema.items ?? {})}]` : type === 'null' ? 'None' : (plain[type] ?? 'Any'),
    ),
  )
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'None'
  return { string: 'str', number: 'float', boolean: 'bool' }[typeof value as string] ?? 'Any'
}

function union(types: readonly string[]): string {
  const all = [...new Set(types)]
  const others = all.filter((type) => type !== 'None')
  const one = others.length > 1 ? `Union[${others.join(', ')}]` : (others[0] ?? 'None')
  return others.length === all.length || one === 'None' ? one : `Optional[${one}]`
}

function isName(name: string): boolean {
  return /^[a-zA-Z_]\w*$/.test(name) && !reserved.has(name)
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
