/**
 * Lists as NDJSON or CSV: read and written batch by batch, so a million rows need no more memory than a page. The whole
 * export counts once against the rate limit. What breaks off is cut on the wire, so that no part passes for the whole.
 */

import { Readable } from 'node:stream'
import { type Options, stringify } from 'csv-stringify/sync'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Service } from '../../service/service.ts'
import type { View } from './answer.ts'
import { callerOf } from './caller.ts'
import type { ExportFormat } from './export-format.ts'
import { type Flat, writeFlat } from './flat.ts'
import { createOpenStreams, type OpenStreams } from './held-requests.ts'
import { resolveInclude } from './include.ts'
import { csv, ndjson } from './media-type.ts'
import { parameterFault } from './problem.ts'
import type { ResourceType } from './resource.ts'
import { findKind, type Reading } from './resources.ts'

export interface Export<Order extends string> {
  readonly format: ExportFormat
  readonly type: ResourceType
  /** Relations whose id each row of a table bears. */
  readonly linked: readonly string[]
  readonly view: View & { readonly order: Order }
  /** Refuses before the first batch. */
  readonly rows: (order: Order) => Promise<AsyncGenerator<readonly Reading[]>>
  /** The order where none is asked for: one in which no row moves while it is read. */
  readonly steady: Order
}

const bufferBytes = 65_536

/** Exports of this door, to be ended before it closes. */
export function createOpenExports(app: FastifyInstance, service: Service): OpenStreams {
  const held = createOpenStreams(service)
  app.addHook('preClose', () => held.endAll())
  return held
}

export async function sendExport<Order extends string>(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  answer: Export<Order>,
  held: OpenStreams,
): Promise<FastifyReply> {
  const query = request.query as Readonly<Record<string, unknown>>
  const paged = Object.keys(query).find((name) => name.startsWith('page['))
  if (paged !== undefined) throw parameterFault('malformed', paged, 'An export has no pages: leave this out.')
  const columns = answer.format === 'csv' ? columnsOf(answer) : []
  const rows = await answer.rows(query['sort'] === undefined ? answer.steady : answer.view.order)
  reply.headers({
    'content-type': answer.format === 'csv' ? `${csv}; charset=utf-8; header=present` : ndjson,
    'content-disposition': `attachment; filename="${answer.type}s.${answer.format}"`,
    'cache-control': 'private, no-store',
  })
  if (request.method === 'HEAD') return reply.send('')
  const { signal } = held.hold(request, reply)
  const text = answer.format === 'csv' ? writeTable : writeLines
  const stream = Readable.from(text(flatten(request, rows, answer.view), columns), {
    objectMode: false,
    highWaterMark: bufferBytes,
  })
  // A client that leaves, a key that is revoked, a server that stops: nothing more is asked of the database.
  signal.addEventListener('abort', () => {
    if (!stream.readableEnded) stream.destroy(new Error('the export was ended early'))
  })
  return reply.send(stream)
}

async function* flatten(
  request: FastifyRequest,
  batches: AsyncIterable<readonly Reading[]>,
  { include, fields }: View,
): AsyncGenerator<readonly Flat[]> {
  const caller = callerOf(request)
  for await (const primary of batches) {
    const inclusion =
      include === null ? null : await resolveInclude(caller, primary, include, [], { isLinked: false })
    yield writeFlat({ primary, inclusion, include, fields })
  }
}

async function* writeLines(batches: AsyncIterable<readonly Flat[]>): AsyncGenerator<string> {
  for await (const rows of batches) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

async function* writeTable(
  batches: AsyncIterable<readonly Flat[]>,
  columns: readonly string[],
): AsyncGenerator<string> {
  yield stringify([columns], tableOptions)
  for await (const rows of batches)
    yield stringify(
      rows.map((row) => columns.map((column) => cellOf(row, column))),
      tableOptions,
    )
}

/** A cell that a spreadsheet would take for a formula (`= + - @`, tab, carriage return) gets an apostrophe before it. */
const tableOptions: Options = {
  escape_formulas: true,
  record_delimiter: 'windows',
  cast: { boolean: String },
}

/** `shipment.pod_eta_at` is a field of what is nested; texts are joined, what else is no plain value is JSON. */
function cellOf(row: Flat, column: string): unknown {
  const value = column.split('.').reduce<unknown>((at, name) => (isFlat(at) ? at[name] : null), row) ?? ''
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join('; ')
  return typeof value === 'object' ? JSON.stringify(value) : value
}

function isFlat(value: unknown): value is Flat {
  return typeof value === 'object' && value !== null
}

/** `id`, the attributes (those that are asked for, in that order), the ids of relations, then what is included of them. */
function columnsOf<Order extends string>({ type, linked, view }: Export<Order>): readonly string[] {
  const kind = findKind(type)
  const wanted = view.fields.get(type)
  const attributes = Object.keys(kind?.attributes ?? {})
  const own = wanted === undefined ? attributes : [...wanted].filter((name) => attributes.includes(name))
  const relations = linked.filter((name) => wanted === undefined || wanted.has(name))
  const included = Object.entries(view.include ?? {}).flatMap(([name, tree]) => {
    const relation = kind?.relations[name]
    if (relation === undefined || relation.isMany || Object.keys(tree).length > 0) {
      const detail = 'A table includes relations to one resource, one deep: for the rest ask for NDJSON.'
      throw parameterFault('malformed', 'include', detail)
    }
    const fieldsOf = (of: ResourceType): readonly string[] => [
      ...(view.fields.get(of) ?? Object.keys(findKind(of)?.attributes ?? {})),
    ]
    return ['id', ...new Set(relation.to.flatMap(fieldsOf))].map((field) => `${name}.${field}`)
  })
  return [...new Set(['id', ...own, ...relations.map((name) => `${name}.id`), ...included])]
}
