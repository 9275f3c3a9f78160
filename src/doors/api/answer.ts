/** From what a verb returned to the answer: the included resources are fetched, the document written, links made absolute. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Page, PageRequest } from '../../store/read/page.ts'
import { callerOf } from './caller.ts'
import { type Document, type Fieldsets, writeDocument } from './document.ts'
import { noteResource } from './entity-tag.ts'
import { type IncludeTree, resolveInclude } from './include.ts'
import { jsonApi } from './media-type.ts'
import type { Reading } from './resources.ts'

export interface View {
  readonly include: IncludeTree | null
  readonly fields: Fieldsets
}

/** `known`: readings that the verb brought along, so that including them asks nothing. */
export async function sendOne(
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  answer: {
    readonly data: Reading
    readonly view: View
    readonly known?: readonly Reading[]
    readonly status?: number
  },
): Promise<FastifyReply> {
  const { request, reply } = exchange
  const document = await write(request, { ...answer, data: answer.data })
  noteResource(reply, answer.data)
  return send(reply.status(answer.status ?? 200), {
    ...document,
    links: { self: selfLink(request) },
  })
}

export async function sendList(
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  answer: { readonly data: readonly Reading[]; readonly view: View },
): Promise<FastifyReply> {
  const { request, reply } = exchange
  const document = await write(request, answer)
  return send(reply, { ...document, links: { self: selfLink(request) } })
}

export async function sendPage(
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  answer: { readonly page: Page<Reading>; readonly asked: PageRequest; readonly view: View },
): Promise<FastifyReply> {
  const { request, reply } = exchange
  const { rows, total } = answer.page
  const document = await write(request, { data: rows, view: answer.view })
  const { number: current, size } = answer.asked
  const last = Math.max(1, Math.ceil(total / size))
  const numbers = {
    current,
    ...(current > 1 ? { prev: Math.min(current - 1, last) } : {}),
    ...(current < last ? { next: current + 1 } : {}),
    last,
  }
  const links = Object.entries({ ...numbers, first: 1 }).map(([name, number]) => [
    name,
    pageLink(request, number),
  ])
  return send(reply, {
    ...document,
    links: { self: selfLink(request), ...Object.fromEntries(links) },
    meta: { size: rows.length, total, pagination: { ...numbers, records: total } },
  })
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
  const document = await write(request, answer)
  const links = { self: selfLink(request), next: linkWith(request, ...answer.next) }
  return send(reply, { ...document, links, meta: answer.meta })
}

/** 204: done, and nothing to say. */
export function sendNothing(reply: FastifyReply): FastifyReply {
  return reply.removeHeader('content-type').status(204).send()
}

export function send(reply: FastifyReply, body: unknown): FastifyReply {
  if (!reply.hasHeader('content-type')) reply.header('content-type', jsonApi)
  return sendText(reply, JSON.stringify(body))
}

/** JSON that is written already. Fastify would add a charset to the media type, which JSON:API forbids. */
export function sendText(reply: FastifyReply, body: string): FastifyReply {
  return reply.serializer(asItIs).send(body)
}

const asItIs = (body: string): string => body

async function write(
  request: FastifyRequest,
  answer: {
    readonly data: Reading | readonly Reading[]
    readonly view: View
    readonly known?: readonly Reading[]
  },
): Promise<Document> {
  const { include, fields } = answer.view
  const primary: readonly Reading[] = Array.isArray(answer.data) ? answer.data : [answer.data as Reading]
  const inclusion =
    include === null ? null : await resolveInclude(callerOf(request), primary, include, answer.known)
  return writeDocument({ data: answer.data, inclusion, fields, base: `${origin(request)}/v2` })
}

/** As it was asked for, with what RFC 3986 does not allow bare (brackets above all) percent-encoded. */
function selfLink(request: FastifyRequest): string {
  const { url } = request
  return origin(request) + (notInUri.test(url) ? url.replace(allNotInUri, encodeURIComponent) : url)
}

const notInUri = /[^\w.~!$&'()*+,;=:@%/?-]/
const allNotInUri = new RegExp(notInUri, 'g')

function pageLink(request: FastifyRequest, number: number): string {
  return linkWith(request, 'page[number]', number)
}

function linkWith(request: FastifyRequest, parameter: string, value: number): string {
  const [path = '', query = ''] = request.url.split('?', 2)
  const parameters = new URLSearchParams(query)
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
