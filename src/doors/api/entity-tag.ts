/**
 * Entity tags (RFC 9110, 8.8.3): every answer to a GET has one over its very bytes, so a client that sends it back in
 * `If-None-Match` is told 304 when nothing is different. The tag of one resource has two halves, `"<state>.<bytes>"`: the
 * state is that of the resource itself, however it was shown, and is what `If-Match` on a PATCH is held against.
 */

import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IfCurrent } from '../../service/ground/if-current.ts'
import { withoutCoding } from './compress.ts'
import { attributesOf } from './document.ts'
import type { KeptDocument } from './kept-documents.ts'
import { Problem } from './problem.ts'
import { kindOf, type Reading } from './resources.ts'

/** 96 bits of SHA-256: nobody meets two of the same by chance. SHA-1 and MD5 were no faster here (17, 19, 26 µs for 6 KB). */
const hashLength = 16

interface Shown {
  readonly reading: Reading
  readonly document: KeptDocument | undefined
}

const shown = new WeakMap<FastifyReply, Shown>()

/** The answer is a document about this one resource. */
export function noteResource(reply: FastifyReply, reading: Reading, document?: KeptDocument): void {
  shown.set(reply, { reading, document })
}

export function tagAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { method } = request
    if (reply.statusCode !== 200 || typeof payload !== 'string' || !isTagged(method, reply)) {
      done(null, payload)
      return
    }
    const about = shown.get(reply)
    const bytes = digestOf(payload, String(reply.getHeader('content-type')), about?.document)
    const tag = about === undefined ? `"${bytes}"` : `"${stateOf(about.reading)}.${bytes}"`
    const known = method === 'PATCH' ? null : findKnown(request.headers['if-none-match'], tag)
    reply.header('etag', known ?? tag)
    if (known === null) {
      done(null, payload)
      return
    }
    reply.status(304).removeHeader('content-type')
    done(null, null)
  })
}

/** Sends bytes that are no document; 304 when the client has them already. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, bytes: Buffer): FastifyReply {
  const tag = `"${hash('sha256', bytes, 'base64url').slice(0, hashLength)}"`
  const known = findKnown(request.headers['if-none-match'], tag)
  reply.header('etag', known ?? tag)
  return known === null ? reply.send(bytes) : reply.status(304).removeHeader('content-type').send()
}

/** What nobody may keep has no tag, nor has what brought its own. */
function isTagged(method: string, reply: FastifyReply): boolean {
  if (reply.hasHeader('etag') || !String(reply.getHeader('content-type')).includes('json')) return false
  if (method === 'PATCH') return shown.has(reply)
  return (
    (method === 'GET' || method === 'HEAD') && !String(reply.getHeader('cache-control')).includes('no-store')
  )
}

/** The tag as the client has it, coding included. Weak comparison (RFC 9110, 13.1.2): the bytes are the same, so the meaning is. */
function findKnown(header: string | undefined, tag: string): string | null {
  if (header === undefined) return null
  if (header.trim() === '*') return tag
  return readTags(header).find((each) => withoutCoding(each) === tag) ?? null
}

/** The opaque parts with their quotes, weak or strong alike. */
function readTags(header: string): readonly string[] {
  return header.match(/"[\x21\x23-\x7e]*"/g) ?? []
}

/**
 * What `If-Match` and `If-None-Match` of a change ask for; null when they ask for nothing. Compared strongly: a weak tag
 * fits nothing (RFC 9110, 13.1.1).
 */
export function readIfCurrent(request: FastifyRequest): IfCurrent<Reading> | null {
  const { 'if-match': match, 'if-none-match': noneMatch } = request.headers
  if (match === undefined && noneMatch === undefined) return null
  const wanted = match === undefined || match.trim() === '*' ? null : statesOf(match)
  const unwanted = noneMatch === undefined ? [] : noneMatch.trim() === '*' ? null : statesOf(noneMatch)
  return (reading) => {
    const state = stateOf(reading)
    return (wanted === null || wanted.includes(state)) && unwanted !== null && !unwanted.includes(state)
  }
}

function statesOf(header: string): readonly string[] {
  const strong = header.split(',').filter((each) => !each.trim().startsWith('W/'))
  return readTags(strong.join(',')).flatMap(
    (tag) => /^"([\w-]{16})\.[\w-]{16}"$/.exec(withoutCoding(tag))?.[1] ?? [],
  )
}

/** A change that would not look at `If-Match` refuses it: the client believes that it is held to. */
export function refuseIfMatch(request: FastifyRequest): void {
  const { method, headers, routeOptions } = request
  if (method === 'GET' || method === 'HEAD' || headers['if-match'] === undefined) return
  if (routeOptions.config.hasPrecondition === true) return
  throw new Problem('malformed', {
    detail: 'This operation does not look at `If-Match`. Leave it out.',
    source: { header: 'If-Match' },
  })
}

/** A reading never changes, and some are remembered. */
const states = new WeakMap<Reading, string>()

function stateOf(reading: Reading): string {
  const known = states.get(reading)
  if (known !== undefined) return known
  const state = digest(
    JSON.stringify([reading.type, reading.id, attributesOf(reading), kindOf(reading).link(reading)]),
  )
  states.set(reading, state)
  return state
}

/** Made once for each media type of a document that is kept. */
function digestOf(text: string, type: string, document: KeptDocument | undefined): string {
  const isKept = document?.text === text
  const known = isKept ? document.digests.get(type) : undefined
  if (known !== undefined) return known
  const bytes = digest(`${type}\n${text}`)
  if (isKept) document.digests.set(type, bytes)
  return bytes
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, hashLength)
}
