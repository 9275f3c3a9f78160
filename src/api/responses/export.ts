/**
 * Lists as NDJSON or CSV, read and written batch by batch, so that a million rows need no more memory than a page. A
 * complete export counts once in the rate limit. When an export fails in the middle, its connection is cut, so that the
 * client does not mistake a part for the complete export.
 */

import { Readable } from 'node:stream'
import type { Options } from 'csv-stringify/sync'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Page, PageRequest } from '../../db/listing/page.ts'
import { isSortKeysOrder } from '../../db/listing/sorted-listing.ts'
import type { Service } from '../../modules/service.ts'
import { createOpenStreams, type OpenStreams } from '../callers/open-streams.ts'
import { callerOf } from '../callers/request-caller.ts'
import { parameterFault } from '../errors/problem.ts'
import type { Exchange } from '../http/exchange.ts'
import { csv, ndjson } from '../http/media-type.ts'
import { findKind } from '../json-api/find-kind.ts'
import { type FlatObject, writeFlat } from '../json-api/flat-document.ts'
import { resolveInclude } from '../json-api/include.ts'
import type { Reading } from '../json-api/resource-kinds.ts'
import type { ResourceType } from '../shape/resource-kind.ts'
import { type ExportFormat, exportFormatOf } from './export-format.ts'
import { sendPage, type View } from './send.ts'

interface Export<Order extends string> {
  readonly format: ExportFormat
  readonly type: ResourceType
  /** Relations whose ids are columns of each row in a table. */
  readonly linked: readonly string[]
  readonly view: View & { readonly order: Order }
  /** Throws before the first batch if the request is refused. */
  readonly rows: (order: Order) => Promise<AsyncGenerator<readonly Reading[]>>
  /** The default order of an export: one in which rows do not move while the export reads them. */
  readonly steady: Order
}

const bufferBytes = 65_536

/** The exports that are open in this app. They are ended before the server closes. */
export function createOpenExports(app: FastifyInstance, service: Service): OpenStreams {
  const streams = createOpenStreams(service)
  app.addHook('preClose', () => streams.endAll())
  return streams
}

/** One page of a list, or the complete list if the request is for an export. */
export async function sendPageOrExport<Order extends string>(
  exchange: Exchange,
  list: Omit<Export<Order>, 'format' | 'view'> & {
    readonly parameters: View & {
      readonly order: Order
      readonly page: PageRequest
      readonly filter: { readonly format: ExportFormat | null }
    }
    /** What an export shows of each row, if that differs from a page. */
    readonly exported?: Omit<View, 'order'>
    readonly page: () => Promise<Page<Reading>>
  },
  streams: OpenStreams,
): Promise<FastifyReply> {
  const { parameters, exported, page, ...rest } = list
  const format = exportFormatOf(exchange.request, parameters.filter.format)
  return format === null
    ? sendPage(exchange, { page: await page(), pageRequest: parameters.page, view: parameters })
    : sendExport(exchange, { ...rest, format, view: { ...parameters, ...exported } }, streams)
}

async function sendExport<Order extends string>(
  { request, reply }: Exchange,
  answer: Export<Order>,
  streams: OpenStreams,
): Promise<FastifyReply> {
  const query = request.query as Readonly<Record<string, unknown>>
  const paged = Object.keys(query).find((name) => name.startsWith('page['))
  if (paged !== undefined) throw parameterFault('malformed', paged, 'An export has no pages: leave this out.')
  if (isSortKeysOrder(answer.view.order))
    throw parameterFault(
      'malformed',
      'sort',
      'An export has no order by these values. Sort it by one that has pages by position.',
    )
  const columns = answer.format === 'csv' ? columnsOf(answer) : []
  const rows = await answer.rows(query['sort'] === undefined ? answer.steady : answer.view.order)
  reply.headers({
    'content-type': answer.format === 'csv' ? `${csv}; charset=utf-8; header=present` : ndjson,
    'content-disposition': `attachment; filename="${answer.type}s.${answer.format}"`,
    'cache-control': 'private, no-store',
  })
  if (request.method === 'HEAD') return reply.send('')
  const { signal } = streams.open(request, reply)
  const text = answer.format === 'csv' ? writeTable : writeLines
  const stream = Readable.from(text(flattenBatches(request, rows, answer.view), columns), {
    objectMode: false,
    highWaterMark: bufferBytes,
  })
  // When the client leaves, the key is revoked or the server stops, no more rows are read from the database.
  signal.addEventListener('abort', () => {
    if (!stream.readableEnded) stream.destroy(new Error('the export was ended early'))
  })
  return reply.send(stream)
}

async function* flattenBatches(
  request: FastifyRequest,
  batches: AsyncIterable<readonly Reading[]>,
  { include, fields }: View,
): AsyncGenerator<readonly FlatObject[]> {
  const caller = callerOf(request)
  for await (const primary of batches) {
    const inclusion = include === null ? null : await resolveInclude(caller, primary, include, [], { isLinked: false })
    yield writeFlat({ primary, inclusion, include, fields })
  }
}

async function* writeLines(batches: AsyncIterable<readonly FlatObject[]>): AsyncGenerator<string> {
  for await (const rows of batches) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

async function* writeTable(
  batches: AsyncIterable<readonly FlatObject[]>,
  columns: readonly string[],
): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync')
  yield stringify([columns], tableOptions)
  for await (const rows of batches)
    yield stringify(
      rows.map((row) => columns.map((column) => cellOf(row, column))),
      tableOptions,
    )
}

/**
 * Puts an apostrophe before a cell that a spreadsheet would read as a formula (it begins with `= + - @`, tab or
 * carriage return).
 */
const tableOptions: Options = {
  escape_formulas: true,
  record_delimiter: 'windows',
  cast: { boolean: String },
}

/**
 * Value of a cell. A column such as `shipment.pod_eta_at` is a member of a nested object. Lists of texts are joined;
 * other lists and objects are written as JSON.
 */
function cellOf(row: FlatObject, column: string): unknown {
  const value = column.split('.').reduce<unknown>((at, name) => (isFlat(at) ? at[name] : null), row) ?? ''
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join('; ')
  return typeof value === 'object' ? JSON.stringify(value) : value
}

function isFlat(value: unknown): value is FlatObject {
  return typeof value === 'object' && value !== null
}

/**
 * Columns in this order: `id`, the attributes (only the requested ones, in the requested order), ids of relations, then
 * what is included.
 */
function columnsOf<Order extends string>({ type, linked, view }: Export<Order>): readonly string[] {
  const kind = findKind(type)
  const wanted = view.fields.get(type)
  const attributes = Object.keys(kind?.attributes ?? {})
  const ownAttributes = wanted === undefined ? attributes : [...wanted].filter((name) => attributes.includes(name))
  const relations = linked.filter((name) => wanted === undefined || wanted.has(name))
  const included = Object.entries(view.include ?? {}).flatMap(([name, tree]) => {
    const relation = kind?.relations[name]
    if (relation === undefined || relation.isMany || Object.keys(tree).length > 0) {
      const detail =
        'A CSV export can include only relations to one resource, one level deep. Use NDJSON for the others.'
      throw parameterFault('malformed', 'include', detail)
    }
    const fieldsOf = (of: ResourceType): readonly string[] => [
      ...(view.fields.get(of) ?? Object.keys(findKind(of)?.attributes ?? {})),
    ]
    return ['id', ...new Set(relation.to.flatMap(fieldsOf))].map((field) => `${name}.${field}`)
  })
  return [...new Set(['id', ...ownAttributes, ...relations.map((name) => `${name}.id`), ...included])]
}
