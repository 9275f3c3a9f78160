/**
 * What the HTTP API is, from the running routes and their OpenAPI document: a line for each operation and each schema,
 * with a hash of its structure. Descriptions, examples, titles and summaries do not count, nor does an order.
 */

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { canonicalJson } from '../../src/domain/values/json-value.ts'
import type { Service } from '../../src/modules/service.ts'
import { readConfig } from '../../src/platform/config.ts'
import { openDescribedApi } from '../described-api.ts'
import { type Group, hashOf } from './dump-text.ts'

interface Operation {
  readonly operationId?: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content?: object }
  readonly responses?: object
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export async function apiGroups(): Promise<readonly Group[]> {
  const { document, routes } = await describe()
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
  const known = new Set(operations.map(({ name }) => name))
  const { schemas = {}, ...others } = document.components
  return [
    { title: 'operations', lines: operations.map(({ name, operation }) => `${name} ${lineOf(operation)}`) },
    {
      title: 'schemas',
      lines: Object.entries(schemas).map(([name, schema]) => `${name} ${membersOf(schema)} ${structureHash(schema)}`),
    },
    {
      title: 'other components',
      lines: Object.entries(others).map(([name, each]) => `${name} ${structureHash(each)}`),
    },
    { title: 'routes that are not described', lines: routes.filter((name) => !known.has(name)) },
  ]
}

/** The routes are only described and never called, so they use nothing but the settings. */
async function describe(): Promise<{ readonly document: Described; readonly routes: readonly string[] }> {
  const routes: string[] = []
  const onRoute = ({ method, url }: RouteOptions): void => {
    for (const each of [method].flat()) if (each !== 'HEAD') routes.push(`${each} ${url.replaceAll(/:(\w+)/g, '{$1}')}`)
  }
  const onApp = (message: unknown): void => {
    // safe: what Fastify publishes on this channel
    ;(message as { readonly fastify: FastifyInstance }).fastify.addHook('onRoute', onRoute)
  }
  subscribe('fastify.initialization', onApp)
  try {
    const app = await openDescribedApi({ config: readConfig({}) } as unknown as Service)
    await app.ready()
    // safe: the text of an OpenAPI document
    const document = JSON.parse(JSON.stringify(app.swagger())) as Described
    await app.close()
    return { document, routes }
  } finally {
    unsubscribe('fastify.initialization', onApp)
  }
}

function lineOf(operation: Operation): string {
  const { operationId = '-', parameters = [], requestBody, responses = {} } = operation
  const names = parameters
    .filter((each) => each.in !== 'path')
    .map((each) => (each.in === 'query' ? each.name : `${each.in}:${each.name}`))
    .toSorted()
  const body = requestBody === undefined ? '' : ' with body'
  return `${operationId}(${names.join(', ')})${body} → ${Object.keys(responses).join(' ')} ${structureHash(operation)}`
}

/** Names of the members, and of those within attributes and relationships. */
function membersOf(schema: unknown): string {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, unknown>> }
  const names = Object.entries(properties).map(([name, each]) =>
    name === 'attributes' || name === 'relationships' ? `${name} ${membersOf(each)}` : name,
  )
  return `{${names.toSorted().join(', ')}}`
}

export function structureHash(value: unknown): string {
  const text = canonicalJson(structureOf(JSON.parse(JSON.stringify(value))))
  return `#${hashOf(text)}`
}

const sentences = new Set(['description', 'example', 'examples', 'summary', 'title', 'externalDocs'])
/** Their members are names and no keywords: a property may be called `description`. */
const maps = new Set(['properties', 'patternProperties', 'responses', 'content', 'headers', 'schemas', '$defs'])
const sets = new Set(['required', 'enum', 'type', 'tags'])

function structureOf(value: unknown, key = '', isMap = false): unknown {
  if (Array.isArray(value)) {
    const all = value.map((each) => structureOf(each))
    return sets.has(key) ? all.toSorted((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1)) : all
  }
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => isMap || !sentences.has(name))
  return Object.fromEntries(members.map(([name, each]) => [name, structureOf(each, name, !isMap && maps.has(name))]))
}
