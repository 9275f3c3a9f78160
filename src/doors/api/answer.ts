/** From what a verb returned to the answer: the included resources are fetched, the document written, links made absolute. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ContainerWithShipment } from '../../store/read/container-with-shipment.ts'
import type { Page, PageRequest, Position } from '../../store/read/page.ts'
import { callerOf } from './caller.ts'
import { writeCursor } from './cursor.ts'
import { type Fieldsets, type JsonApiDocument, writeDocument } from './document.ts'
import { noteResource } from './entity-tag.ts'
import { type Flat, writeFlat } from './flat.ts'
import { type IncludeTree, resolveInclude } from './include.ts'
import { findDocument, type KeptDocument, keepDocument } from './kept-documents.ts'
import { withIgnored } from './lenience.ts'
import { flatJson, jsonApi, plainTypeFor, prefersFlat } from './media-type.ts'
import { numberedRowsMax } from './query.ts'
import type { Reading } from './resources.ts'

export interface View {
  readonly include: IncludeTree | null
  readonly fields: Fieldsets
  /** Of a list that is paged by positions in it. */
  readonly order?: string
}

interface One {
  readonly data: Reading
  readonly view: View
  /** Readings that the verb brought along, so that including them asks nothing. */
  readonly known?: readonly Reading[]
  /** The container that is the data, when all that its document links was read with it. */
  readonly whole?: ContainerWithShipment
  readonly status?: number
}

export async function sendOne(
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  answer: One,
): Promise<FastifyReply> {
  const { request, reply } = exchange
  if (answer.status === 201) reply.header('location', locationOf(request, answer.data))
  reply.status(answer.status ?? 200)
  if (prefersFlat(request.headers.accept)) {
    noteResource(reply, answer.data)
    const [flat] = await writePlain(request, { ...answer, data: [answer.data] })
    return sendFlat(reply, flat)
  }
  const written = await writeOne(request, answer)
  noteResource(reply, answer.data, written)
  return sendDocument(reply, written.text)
}

/** Written anew only when it is another than it was. */
async function writeOne(request: FastifyRequest, answer: One): Promise<KeptDocument> {
  const { data, whole } = answer
  // What was passed over is told in the document.
  const isKept = whole !== undefined && (request.ignored ?? []).length === 0
  const form = origin(request) + request.url
  const known = isKept ? findDocument(whole, form) : null
  if (known !== null) return known
  const { document, hasAsked } = await write(request, { ...answer, data })
  const text = writeText(request, { ...document, links: { self: selfLink(request) } })
  return isKept && !hasAsked ? keepDocument(whole, form, text) : { text, digests: new Map() }
}

export async function sendList(
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  answer: { readonly data: readonly Reading[]; readonly view: View },
): Promise<FastifyReply> {
  return sendRows(exchange, answer, { links: { self: selfLink(exchange.request) } })
}

export async function sendPage(
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  answer: {
    readonly page: Page<Reading>
    readonly asked: PageRequest
    readonly view: View
    /** What else is said of the whole. */
    readonly meta?: Readonly<Record<string, unknown>>
  },
): Promise<FastifyReply> {
  const { request } = exchange
  const { rows, total, isEstimated = false } = answer.page
  const { numbers, links } = answer.asked.cursor
    ? linksOfPosition(request, answer)
    : linksOfNumber(request, answer)
  return sendRows(
    exchange,
    { data: rows, view: answer.view },
    {
      links: { self: selfLink(request), ...links },
      meta: {
        size: rows.length,
        total,
        ...(isEstimated ? { total_is_estimated: true } : {}),
        pagination: { ...numbers, records: total },
        ...answer.meta,
      },
    },
  )
}

type AskedPage = Parameters<typeof sendPage>[1]
interface PageLinks {
  readonly numbers: Readonly<Record<string, number>>
  readonly links: Readonly<Record<string, string>>
}

function linksOfNumber(request: FastifyRequest, { page, asked, view }: AskedPage): PageLinks {
  const { number: current, size } = asked
  const { total, isEstimated = false, stand } = page
  const last = Math.max(1, Math.ceil(total / size))
  const hasNext = isEstimated ? stand?.hasNext === true : current < last
  // Where numbers end, positions go on.
  const isNumbered = stand === undefined || current * size < numberedRowsMax
  const numbers = {
    current,
    ...(current > 1 ? { prev: Math.min(current - 1, last) } : {}),
    ...(hasNext && isNumbered ? { next: current + 1 } : {}),
    ...(isEstimated ? {} : { last }),
  }
  const links = Object.entries({ ...numbers, first: 1 }).map(([name, number]) => [
    name,
    pageLink(request, number),
  ])
  const beyond =
    hasNext && !isNumbered && stand?.last
      ? { next: linkWith(request, 'page[after]', writeCursor(view.order ?? '', stand.last)) }
      : {}
  return { numbers, links: { ...Object.fromEntries(links), ...beyond } }
}

function linksOfPosition(request: FastifyRequest, { page: { stand }, view }: AskedPage): PageLinks {
  const link = (side: 'after' | 'before', position: Position | null): string =>
    linkWith(request, `page[${side}]`, position === null ? '' : writeCursor(view.order ?? '', position))
  return {
    numbers: {},
    links: {
      first: link('after', null),
      ...(stand?.hasPrevious && stand.first ? { prev: link('before', stand.first) } : {}),
      ...(stand?.hasNext && stand.last ? { next: link('after', stand.last) } : {}),
      last: link('before', null),
    },
  }
}

/** A stretch of what has no last page: `next` asks for what follows it, with this parameter in place of the old. */
export async function sendStretch(
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  answer: {
    readonly data: readonly Reading[]
    readonly view: View
    readonly next: readonly [parameter: string, value: number]
    readonly meta: Readonly<Record<string, number>>
  },
): Promise<FastifyReply> {
  const { request, reply } = exchange
  const { document } = await write(request, answer)
  const links = { self: selfLink(request), next: linkWith(request, ...answer.next) }
  return send(reply, { ...document, links, meta: answer.meta })
}

/** Where what was just made can be read. It is made by a POST to its list; fields are made on what they are about, too. */
function locationOf(request: FastifyRequest, { type, id }: Reading): string {
  const list = type === 'custom_field' ? '/v2/custom_fields' : request.url.split('?', 1)[0]
  // A statement is read in the list of its container.
  return `${origin(request)}${list}${type === 'statement' ? '' : `/${id}`}`
}

/** 204: done, and nothing to say. */
export function sendNothing(reply: FastifyReply): FastifyReply {
  return reply.removeHeader('content-type').status(204).send()
}

export function send(reply: FastifyReply, body: object): FastifyReply {
  return sendDocument(reply, writeText(reply.request, body))
}

function writeText(request: FastifyRequest, body: object): string {
  return JSON.stringify(withIgnored(request, body))
}

function sendDocument(reply: FastifyReply, text: string): FastifyReply {
  if (!reply.hasHeader('content-type')) reply.header('content-type', jsonApi)
  return sendText(reply, text)
}

/** JSON that is no JSON:API document, and called that where the request admits it. */
export function sendPlain(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  body: unknown,
): FastifyReply {
  return sendText(reply.header('content-type', plainTypeFor(request.headers.accept)), JSON.stringify(body))
}

/** JSON that is written already. Fastify would add a charset to the media type, which JSON:API forbids. */
export function sendText(reply: FastifyReply, body: string): FastifyReply {
  return reply.serializer(asItIs).send(body)
}

const asItIs = (body: string): string => body

/** Rows as a document with `data`, or plainly as `items`. */
async function sendRows(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  answer: { readonly data: readonly Reading[]; readonly view: View },
  rest: Pick<JsonApiDocument, 'links' | 'meta'>,
): Promise<FastifyReply> {
  if (!prefersFlat(request.headers.accept)) {
    const { document } = await write(request, answer)
    return send(reply, { ...document, ...rest })
  }
  return sendFlat(reply, { items: await writePlain(request, answer), ...rest })
}

function sendFlat(reply: FastifyReply, body: unknown): FastifyReply {
  return sendText(reply.header('content-type', flatJson), JSON.stringify(body))
}

async function writePlain(
  request: FastifyRequest,
  answer: {
    readonly data: readonly Reading[]
    readonly view: View
    readonly known?: readonly Reading[]
  },
): Promise<readonly Flat[]> {
  const { data, view, known } = answer
  const { include, fields } = view
  const inclusion = await resolveInclude(callerOf(request), data, include, known, { isLinked: false })
  return writeFlat({ primary: data, inclusion, include, fields })
}

async function write(
  request: FastifyRequest,
  answer: {
    readonly data: Reading | readonly Reading[]
    readonly view: View
    readonly known?: readonly Reading[]
    readonly whole?: ContainerWithShipment
  },
): Promise<{ readonly document: JsonApiDocument; readonly hasAsked: boolean }> {
  const { view, known, whole } = answer
  const { include, fields } = view
  const primary: readonly Reading[] = Array.isArray(answer.data) ? answer.data : [answer.data as Reading]
  const inclusion = await resolveInclude(callerOf(request), primary, include, known, { fields, whole })
  const document = writeDocument({ data: answer.data, inclusion, fields, base: `${origin(request)}/v2` })
  return { document, hasAsked: inclusion.hasAsked }
}

/** As it was asked for, with what RFC 3986 does not allow bare (brackets above all, `%` alone) percent-encoded. */
function selfLink(request: FastifyRequest): string {
  const { url } = request
  return origin(request) + (notInUri.test(url) ? url.replace(allNotInUri, encodeURIComponent) : url)
}

const notInUri = /[^\w.~!$&'()*+,;=:@%/?-]|%(?![\dA-Fa-f]{2})/
const allNotInUri = new RegExp(notInUri, 'g')

function pageLink(request: FastifyRequest, number: number): string {
  return linkWith(request, 'page[number]', number)
}

function linkWith(request: FastifyRequest, parameter: string, value: number | string): string {
  const [path = '', query = ''] = request.url.split('?', 2)
  const parameters = new URLSearchParams(query)
  // One way of saying where, whichever the request used.
  if (parameter.startsWith('page['))
    for (const name of ['page[number]', 'page[after]', 'page[before]']) parameters.delete(name)
  parameters.set(parameter, String(value))
  return `${origin(request)}${path}?${parameters}`
}

/** The operator's word for where we are; else how the client reached us. */
export function origin(request: FastifyRequest): string {
  const { config } = callerOf(request).service
  if (config.server.publicUrl !== null) return config.server.publicUrl
  const host = /^[\w.-]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/i.test(request.host) ? request.host : null
  return `${request.protocol}://${host ?? `${config.server.host}:${config.server.port}`}`
}
