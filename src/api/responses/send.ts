/**
 * Converts the result of a verb into the answer: fetches the included resources, writes the document, makes links
 * absolute.
 */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Page, PageRequest, Position } from '../../db/listing/page.ts'
import type { ContainerWithShipment } from '../../modules/containers/container-with-shipment-sql.ts'
import type { Caller } from '../callers/caller.ts'
import { callerOf } from '../callers/request-caller.ts'
import type { Exchange } from '../http/exchange.ts'
import { flatJson, jsonApi, plainTypeFor, prefersFlat } from '../http/media-type.ts'
import { publicOrigin } from '../http/public-origin.ts'
import { type Fieldsets, type JsonApiDocument, type Provenance, writeDocument } from '../json-api/document.ts'
import { type FlatObject, writeFlat } from '../json-api/flat-document.ts'
import { type IncludeTree, resolveInclude } from '../json-api/include.ts'
import type { Reading } from '../json-api/resource-kinds.ts'
import { withNotes } from '../query/lenience.ts'
import { writeCursor } from '../query/order.ts'
import { numberedRowsMax } from '../query/query.ts'
import { type CachedDocument, cacheDocument, findDocument } from './cached-documents.ts'
import { tagResource } from './entity-tag.ts'

export interface View {
  readonly include: IncludeTree | null
  readonly fields: Fieldsets
  /** Relations whose linkage is shown although they are not included. */
  readonly linked?: readonly string[]
  /** Order of the list. Only for lists that are paged by positions in their order. */
  readonly order?: string
}

/** What goes into one answer, whatever its form. */
interface AnswerParts<Data> {
  readonly data: Data
  readonly view: View
  /** The caller as of another moment, for an answer that does not show the present state. */
  readonly caller?: Caller
  readonly provenance?: Provenance
  /** Readings that the verb has loaded already. To include them needs no query. */
  readonly known?: readonly Reading[]
  /** The container that is the data. Given only when everything that its document links to was loaded with it. */
  readonly whole?: ContainerWithShipment
}

export async function sendOne(
  exchange: Exchange,
  answer: AnswerParts<Reading> & {
    readonly status?: number
    /** Of the document, not of the resource. */
    readonly meta?: Readonly<Record<string, unknown>> | undefined
  },
): Promise<FastifyReply> {
  const { request, reply } = exchange
  if (answer.status === 201) reply.header('location', locationOf(request, answer.data))
  reply.status(answer.status ?? 200)
  const { data: reading } = answer
  if (prefersFlat(request.headers.accept)) {
    const [flat] = await writeFlatRows(request, { ...answer, data: [reading] })
    const document = { text: JSON.stringify(flat), digests: new Map() }
    tagResource({ request, reply: reply.header('content-type', flatJson) }, { reading, document })
    return sendText(reply, document.text)
  }
  const document = await writeOne(request, answer)
  tagResource({ request, reply: setJsonApiType(reply) }, { reading, document })
  return sendText(reply, document.text)
}

/** Returns the stored text while the data is the same object; otherwise writes the document. */
async function writeOne(request: FastifyRequest, answer: Parameters<typeof sendOne>[1]): Promise<CachedDocument> {
  const { whole, meta } = answer
  // A document that lists ignored members is not stored: the list depends on the request.
  const isCacheable = whole !== undefined && (request.ignored ?? []).length === 0
  const form = originOfRequest(request) + request.url
  const known = isCacheable ? findDocument(whole, form) : null
  if (known !== null) return known
  const { document, hasQueried } = await writeAnswerDocument(request, answer)
  const links = { self: selfLink(request) }
  const text = writeText(request, { ...document, links, ...(meta === undefined ? {} : { meta }) })
  return isCacheable && !hasQueried ? cacheDocument(whole, form, text) : { text, digests: new Map() }
}

export async function sendList(
  exchange: Exchange,
  answer: { readonly data: readonly Reading[]; readonly view: View },
): Promise<FastifyReply> {
  return sendRows(exchange, answer, { links: { self: selfLink(exchange.request) } })
}

export async function sendPage(
  exchange: Exchange,
  answer: Omit<AnswerParts<never>, 'data'> & {
    readonly page: Page<Reading>
    readonly pageRequest: PageRequest
    /** Further members of `meta`, about the complete list. */
    readonly meta?: Readonly<Record<string, unknown>>
  },
): Promise<FastifyReply> {
  const { request } = exchange
  const { rows, total, isEstimated = false } = answer.page
  const { numbers, links } = answer.pageRequest.cursor
    ? makeCursorLinks(request, answer)
    : makePageNumberLinks(request, answer)
  return sendRows(
    exchange,
    { ...answer, data: rows },
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

type PageAnswer = Parameters<typeof sendPage>[1]
interface PageLinks {
  readonly numbers: Readonly<Record<string, number>>
  readonly links: Readonly<Record<string, string>>
}

function makePageNumberLinks(request: FastifyRequest, { page, pageRequest, view }: PageAnswer): PageLinks {
  const { number: current, size } = pageRequest
  const { total, isEstimated = false, pagePosition } = page
  const last = Math.max(1, Math.ceil(total / size))
  const hasNext = isEstimated ? pagePosition?.hasNext === true : current < last
  // Page numbers end at `numberedRowsMax`. From there, `next` leads on by position.
  const isNumbered = pagePosition === undefined || current * size < numberedRowsMax
  const numbers = {
    current,
    ...(current > 1 ? { prev: Math.min(current - 1, last) } : {}),
    ...(hasNext && isNumbered ? { next: current + 1 } : {}),
    ...(isEstimated ? {} : { last }),
  }
  const links = Object.entries({ ...numbers, first: 1 }).map(([name, number]) => [name, pageLink(request, number)])
  const beyond =
    hasNext && !isNumbered && pagePosition?.last
      ? { next: linkWith(request, 'page[after]', writeCursor(view.order ?? '', pagePosition.last)) }
      : {}
  return { numbers, links: { ...Object.fromEntries(links), ...beyond } }
}

function makeCursorLinks(request: FastifyRequest, { page: { pagePosition }, view }: PageAnswer): PageLinks {
  const link = (side: 'after' | 'before', position: Position | null): string =>
    linkWith(request, `page[${side}]`, position === null ? '' : writeCursor(view.order ?? '', position))
  return {
    numbers: {},
    links: {
      first: link('after', null),
      ...(pagePosition?.hasPrevious && pagePosition.first ? { prev: link('before', pagePosition.first) } : {}),
      ...(pagePosition?.hasNext && pagePosition.last ? { next: link('after', pagePosition.last) } : {}),
      last: link('before', null),
    },
  }
}

/** One batch of a feed that has no last page. `next` is the same URL with this parameter replaced. */
export async function sendFeedBatch(
  exchange: Exchange,
  answer: {
    readonly data: readonly Reading[]
    readonly view: View
    readonly next: readonly [parameter: string, value: number]
    readonly meta: Readonly<Record<string, number>>
  },
): Promise<FastifyReply> {
  const { request, reply } = exchange
  const { document } = await writeAnswerDocument(request, answer)
  const links = { self: selfLink(request), next: linkWith(request, ...answer.next) }
  return sendJsonApi(reply, { ...document, links, meta: answer.meta })
}

/**
 * URL of the resource that was just created. Most are created by a POST to their list. A custom field can also be
 * created at the address of its entity, and an invitation is created by a POST to the members.
 */
function locationOf(request: FastifyRequest, { type, id }: Reading): string {
  const list = listsElsewhere[type] ?? request.url.split('?', 1)[0]
  // A single statement or role has no address. The list of its record shows it.
  const isOnlyListed = type === 'statement' || type === 'party_role'
  return `${originOfRequest(request)}${list}${isOnlyListed ? '' : `/${id}`}`
}

const listsElsewhere: Readonly<Record<string, string>> = {
  custom_field: '/v2/custom_fields',
  invitation: '/v2/invitations',
}

/** 204: the request succeeded and the answer has no body. */
export function sendNothing(reply: FastifyReply): FastifyReply {
  return reply.removeHeader('content-type').status(204).send()
}

export function sendJsonApi(reply: FastifyReply, body: object): FastifyReply {
  return sendText(setJsonApiType(reply), writeText(reply.request, body))
}

function writeText(request: FastifyRequest, body: object): string {
  return JSON.stringify(withNotes(request, body))
}

function setJsonApiType(reply: FastifyReply): FastifyReply {
  return reply.hasHeader('content-type') ? reply : reply.header('content-type', jsonApi)
}

/** JSON that is no JSON:API document. Its media type states this if the request accepts that type. */
export function sendPlain({ request, reply }: Exchange, body: unknown): FastifyReply {
  return sendText(reply.header('content-type', plainTypeFor(request.headers.accept)), JSON.stringify(body))
}

/** JSON that is already a text. Fastify would add a charset to the media type, which JSON:API forbids. */
export function sendText(reply: FastifyReply, body: string): FastifyReply {
  return reply.serializer(keepTextUnchanged).send(body)
}

const keepTextUnchanged = (body: string): string => body

/** Rows as a document with `data`, or as plain JSON with `items`. */
async function sendRows(
  { request, reply }: Exchange,
  answer: AnswerParts<readonly Reading[]>,
  rest: Pick<JsonApiDocument, 'links' | 'meta'>,
): Promise<FastifyReply> {
  if (!prefersFlat(request.headers.accept)) {
    const { document } = await writeAnswerDocument(request, answer)
    return sendJsonApi(reply, { ...document, ...rest })
  }
  return sendFlat(reply, { items: await writeFlatRows(request, answer), ...rest })
}

function sendFlat(reply: FastifyReply, body: unknown): FastifyReply {
  return sendText(reply.header('content-type', flatJson), JSON.stringify(body))
}

async function writeFlatRows(
  request: FastifyRequest,
  answer: AnswerParts<readonly Reading[]>,
): Promise<readonly FlatObject[]> {
  const { data, view, known, provenance, caller = callerOf(request) } = answer
  const { include, fields } = view
  const inclusion = await resolveInclude(caller, data, include, known, { isLinked: false })
  return writeFlat({ primary: data, inclusion, include, fields, provenance })
}

async function writeAnswerDocument(
  request: FastifyRequest,
  answer: AnswerParts<Reading | readonly Reading[]>,
): Promise<{ readonly document: JsonApiDocument; readonly hasQueried: boolean }> {
  const { view, known, whole, provenance, caller = callerOf(request) } = answer
  const { include, fields, linked } = view
  const primary: readonly Reading[] = Array.isArray(answer.data) ? answer.data : [answer.data as Reading]
  const inclusion = await resolveInclude(caller, primary, include, known, { fields, linked, whole })
  const base = `${originOfRequest(request)}/v2`
  const document = writeDocument({ data: answer.data, inclusion, fields, base, provenance })
  return { document, hasQueried: inclusion.hasQueried }
}

/**
 * The URL of the request. Characters that RFC 3986 does not allow bare (brackets above all, `%` alone) are
 * percent-encoded.
 */
function selfLink(request: FastifyRequest): string {
  const { url } = request
  return originOfRequest(request) + (notInUri.test(url) ? url.replace(allNotInUri, encodeURIComponent) : url)
}

const notInUri = /[^\w.~!$&'()*+,;=:@%/?-]|%(?![\dA-Fa-f]{2})/
const allNotInUri = new RegExp(notInUri, 'g')

function pageLink(request: FastifyRequest, number: number): string {
  return linkWith(request, 'page[number]', number)
}

export function linkWith(request: FastifyRequest, parameter: string, value: number | string): string {
  const [path = '', query = ''] = request.url.split('?', 2)
  const parameters = new URLSearchParams(query)
  // A link has only one parameter for the position, whichever of them the request had.
  if (parameter.startsWith('page['))
    for (const name of ['page[number]', 'page[after]', 'page[before]']) parameters.delete(name)
  parameters.set(parameter, String(value))
  return `${originOfRequest(request)}${path}?${parameters}`
}

export function originOfRequest(request: FastifyRequest): string {
  return publicOrigin(callerOf(request).service.config, request)
}
