/**
 * The API of a Landfall as functions: one for each operation of its OpenAPI description, with its name, its parameters
 * and the type of what it answers.
 *
 *     const landfall = connect({ url: 'https://track.example.com', key })
 *     const shipment = await landfall.getShipment(id, { include: ['containers.pod_terminal'] })
 *     for await (const { number } of landfall.listContainers({ filter: { has_holds: true } })) console.log(number)
 */

import type { Operations } from './description.generated.ts'
import { type FeedEvent, type FollowOptions, followEvents } from './feed.ts'
import {
  type IncludePath,
  type Joined,
  joinResources,
  type ResourceDocument,
  type ResourceType,
  treeOf,
} from './joined.ts'
import { operations } from './operations.generated.ts'
import { type Page, Pages } from './pages.ts'
import { pathOf, type Query, writeQuery } from './query.ts'
import { type Connection, type Sent, sendRequest } from './requests.ts'
import { type Tracked, type TrackOptions, trackNumber } from './track.ts'

type Name = keyof Operations
type TypeOf<Operation extends Name> = Operations[Operation]['data'] extends { readonly type: infer Type }
  ? Extract<Type, ResourceType>
  : never

/** What every operation takes besides its own parameters. */
export interface RequestOptions {
  readonly signal?: AbortSignal
  /** Of a POST. One is made up when it is left out, so that a repeated request does nothing twice. */
  readonly idempotencyKey?: string
  /** Of a PATCH: the `etag` of what was read. Refused with 412 when it was changed since. */
  readonly ifMatch?: string
  /** Of a body that is no JSON: `text/csv`, `application/edifact` and so on. */
  readonly contentType?: string
}
type ResourceOptions<Operation extends Name, Path> = RequestOptions &
  Operations[Operation]['query'] & {
    readonly include?: readonly Path[]
    /** For each type the attributes and relationships to show; all when left out. */
    readonly fields?: { readonly [Type in ResourceType]?: readonly string[] }
  }
type BodyOf<Operation extends Name> = [Operations[Operation]['body']] extends [never]
  ? []
  : [body: Operations[Operation]['body']]
type Given<Operation extends Name, Options> = [...Operations[Operation]['ids'], ...BodyOf<Operation>, options?: Options]

/** What stands beside the resource in the answer. */
export interface Beside {
  readonly $answer: {
    /** For `ifMatch`. */
    readonly etag: string | null
    readonly meta: Readonly<Record<string, unknown>>
    readonly links: Readonly<Record<string, string | null>>
  }
}

/** A resource that is no record of the account: nothing is included with it. */
type Plain<Data> = Data extends { readonly attributes: infer Attributes } ? Omit<Data, 'attributes'> & Attributes : Data

type Method<Operation extends Name> = Operations[Operation]['answers'] extends 'plain'
  ? (
      ...given: Given<Operation, RequestOptions & Operations[Operation]['query']>
    ) => Promise<Plain<Operations[Operation]['data']> & Beside>
  : Operations[Operation]['answers'] extends 'one'
    ? <Path extends IncludePath<TypeOf<Operation>> = never>(
        ...given: Given<Operation, ResourceOptions<Operation, Path>>
      ) => Promise<Joined<TypeOf<Operation>, Path> & Beside>
    : Operations[Operation]['answers'] extends 'many'
      ? <Path extends IncludePath<TypeOf<Operation>> = never>(
          ...given: Given<Operation, ResourceOptions<Operation, Path>>
        ) => Pages<Joined<TypeOf<Operation>, Path>>
      : (
          ...given: Given<Operation, RequestOptions & Operations[Operation]['query']>
        ) => Promise<Operations[Operation]['data']>

export type Landfall = { readonly [Operation in Name]: Method<Operation> } & {
  /** Any other request: an export, a stream. The path begins with `/`; the answer is the response itself. */
  readonly send: (sent: Omit<Sent, 'headers'> & { readonly headers?: Sent['headers'] }) => Promise<Response>
  /** Tracks a number, and waits until its line has answered. */
  readonly track: (number: string, options?: TrackOptions) => Promise<Tracked>
  /** Every event of the account from a place on, in order, without end; it goes on after failures. */
  readonly follow: <Path extends IncludePath<'event'> = never>(
    options?: FollowOptions<Path>,
  ) => AsyncGenerator<FeedEvent<Path>, void, undefined>
}

/** Nothing is sent before an operation is called. */
export function connect(connection: Connection): Landfall {
  const methods = Object.fromEntries(
    (Object.keys(operations) as Name[]).map((name) => [name, methodOf(connection, name)]),
  )
  const landfall: Landfall = {
    // safe: the table and the types are written from the same description
    ...(methods as { readonly [Operation in Name]: Method<Operation> }),
    send: ({ headers = {}, ...sent }) => sendRequest(connection, { headers, ...sent }),
    track: (number, options) => trackNumber(landfall, number, options),
    follow: (options) => followEvents(connection, options),
  }
  return landfall
}

function methodOf(connection: Connection, name: Name): (...given: readonly unknown[]) => unknown {
  const [method, path, answers, body] = operations[name] as Row
  const idCount = path.split('{').length - 1
  return (...given) => {
    const ids = given.slice(0, idCount) as readonly string[]
    const [content, options] = body === undefined ? [undefined, given[idCount]] : given.slice(idCount)
    const { signal, idempotencyKey, ifMatch, contentType, include = [], fields, ...query } = (options ?? {}) as Options
    const sent: Sent = {
      method,
      path: fillPath(path, ids) + writeQuery({ ...query, include, fields }),
      headers: {
        accept: answers === 'bytes' ? '*/*' : jsonApi,
        ...(method === 'POST' ? { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() } : {}),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...(body === undefined ? {} : { 'content-type': contentType ?? (body === 'bytes' ? 'text/csv' : jsonApi) }),
      },
      ...(body === undefined ? {} : { body: writeBody(content, { kind: body, id: ids.at(-1) }) }),
      ...(signal === undefined ? {} : { signal }),
    }
    if (answers !== 'many') return readAnswer(connection, sent, { answers, include })
    return new Pages((next) => readPage(connection, next === null ? sent : { ...sent, path: next }, include))
  }
}

type Row = readonly [method: string, path: string, answers: string, body?: string]
interface Options extends RequestOptions {
  readonly include?: readonly string[]
  readonly fields?: Query
}

const jsonApi = 'application/vnd.api+json'

async function readAnswer(
  connection: Connection,
  sent: Sent,
  { answers, include }: { readonly answers: string; readonly include: readonly string[] },
): Promise<unknown> {
  const response = await sendRequest(connection, sent)
  if (answers === 'bytes') return response
  const text = await response.text()
  if (answers === 'nothing' || text === '') return null
  const document = JSON.parse(text) as ResourceDocument
  if (answers === 'json') return document
  const [resource] = joinResources(document, treeOf(include)) as readonly object[]
  if (resource === undefined) return null
  const { meta = {}, links = {} } = document
  const $answer: Beside['$answer'] = { etag: response.headers.get('etag'), meta, links }
  // It stands beside the resource and is none of its fields: it is not written with them.
  return Object.defineProperty(resource, '$answer', { value: $answer, enumerable: false })
}

async function readPage(connection: Connection, sent: Sent, include: readonly string[]): Promise<Page<never>> {
  const response = await sendRequest(connection, sent)
  const document = (await response.json()) as ResourceDocument
  const next = document.links?.['next'] ?? null
  return {
    items: joinResources(document, treeOf(include)) as readonly never[],
    next: next === null ? null : pathOf(next),
    meta: document.meta ?? {},
  }
}

function fillPath(path: string, ids: readonly string[]): string {
  let at = 0
  return path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const id = ids[at++]
    // An empty one would be another address: that of the list.
    if (typeof id !== 'string' || id === '') throw new TypeError(`${name} is missing: ${path}`)
    return encodeURIComponent(id)
  })
}

type Body = NonNullable<Sent['body']>

/** A resource is given by its attributes, with `relationships` beside them. */
function writeBody(content: unknown, { kind, id }: { readonly kind: string; readonly id: string | undefined }): Body {
  if (kind === 'bytes') return content as Body
  if (kind === 'json') return JSON.stringify(content)
  const { relationships, ...attributes } = content as Readonly<Record<string, unknown>>
  return JSON.stringify({
    data: { type: kind, ...(id === undefined ? {} : { id }), attributes, relationships },
  })
}
