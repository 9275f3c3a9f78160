/**
 * Entity tags (RFC 9110, 8.8.3). Every answer to a GET has one, made of its exact bytes. A client that sends it back in
 * `If-None-Match` gets 304 when nothing is different. The tag of one resource has two halves, `"<state>.<bytes>"`: the
 * state is that of the resource itself, in whatever form it was shown. `If-Match` on a PATCH is compared with the
 * state.
 */

import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PreconditionCheck } from '../../modules/require-current.ts'
import { Problem } from '../errors/problem.ts'
import type { Exchange } from '../http/exchange.ts'
import { kindOf } from '../json-api/find-kind.ts'
import type { Reading } from '../json-api/resource-kinds.ts'
import type { CachedDocument } from './cached-documents.ts'
import { withoutCoding } from './compress-answers.ts'

/**
 * 96 bits of SHA-256: two different contents practically never have the same. SHA-1 and MD5 were no faster here (17,
 * 19, 26 µs for 6 KB).
 */
const hashLength = 16

export function tagAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { method } = request
    if (reply.statusCode !== 200 || typeof payload !== 'string' || !isTagged(method, reply)) {
      done(null, payload)
      return
    }
    const ownTag = reply.getHeader('etag')
    const tag = typeof ownTag === 'string' ? ownTag : `"${digestOf(payload, typeOf(reply))}"`
    const known = method === 'PATCH' ? null : findMatchingTag(request.headers['if-none-match'], tag)
    reply.header('etag', known ?? tag)
    if (known === null) {
      done(null, payload)
      return
    }
    reply.status(304).removeHeader('content-type')
    done(null, null)
  })
}

/**
 * Sets the tag of a document about one resource. Call this when its media type is set, before it is sent. Only a read
 * and a PATCH get a tag.
 */
export function tagResource(
  { request: { method }, reply }: Exchange,
  { reading, document: { text, digests } }: { readonly reading: Reading; readonly document: CachedDocument },
): void {
  if (reply.statusCode !== 200 || !(isCacheableRead(method, reply) || method === 'PATCH')) return
  const type = typeOf(reply)
  const bytes = digests.get(type) ?? digestOf(text, type)
  digests.set(type, bytes)
  reply.header('etag', `"${hashStateOf(reading)}.${bytes}"`)
}

/** Sends bytes that are no JSON document; 304 when the client has them already. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, bytes: Buffer): FastifyReply {
  const tag = `"${hash('sha256', bytes, 'base64url').slice(0, hashLength)}"`
  const known = findMatchingTag(request.headers['if-none-match'], tag)
  reply.header('etag', known ?? tag)
  return known === null ? reply.send(bytes) : reply.status(304).removeHeader('content-type').send()
}

/** The answer to a PATCH has a tag only when `tagResource` has set one. */
function isTagged(method: string, reply: FastifyReply): boolean {
  if (!typeOf(reply).includes('json')) return false
  return isCacheableRead(method, reply) || (method === 'PATCH' && reply.hasHeader('etag'))
}

/** An answer that no client may store (`no-store`) has no tag. */
function isCacheableRead(method: string, reply: FastifyReply): boolean {
  return (method === 'GET' || method === 'HEAD') && !String(reply.getHeader('cache-control')).includes('no-store')
}

function typeOf(reply: FastifyReply): string {
  return String(reply.getHeader('content-type'))
}

/**
 * The tag as the client wrote it, with its coding. Weak comparison (RFC 9110, 13.1.2): the bytes are the same, so the
 * meaning is.
 */
function findMatchingTag(header: string | undefined, tag: string): string | null {
  if (header === undefined) return null
  if (header.trim() === '*') return tag
  return readTags(header).find((each) => withoutCoding(each) === tag) ?? null
}

/** The quoted part of each tag, without the mark of a weak one. */
function readTags(header: string): readonly string[] {
  return header.match(/"[\x21\x23-\x7e]*"/g) ?? []
}

/**
 * The condition that `If-Match` and `If-None-Match` of a change set; null when they set none. Strong comparison: a weak
 * tag never matches (RFC 9110, 13.1.1).
 */
export function readIfCurrent(request: FastifyRequest): PreconditionCheck<Reading> | null {
  const { 'if-match': match, 'if-none-match': noneMatch } = request.headers
  if (match === undefined && noneMatch === undefined) return null
  const wanted = match === undefined || match.trim() === '*' ? null : readStateHashes(match)
  const unwanted = noneMatch === undefined ? [] : noneMatch.trim() === '*' ? null : readStateHashes(noneMatch)
  return (reading) => {
    const state = hashStateOf(reading)
    return (wanted === null || wanted.includes(state)) && unwanted !== null && !unwanted.includes(state)
  }
}

function readStateHashes(header: string): readonly string[] {
  const strong = header.split(',').filter((each) => !each.trim().startsWith('W/'))
  return readTags(strong.join(',')).flatMap((tag) => /^"([\w-]{16})\.[\w-]{16}"$/.exec(withoutCoding(tag))?.[1] ?? [])
}

/** Refuses `If-Match` at routes that do not check it: the client would believe that its condition was respected. */
export function refuseIfMatch(request: FastifyRequest): void {
  const { method, headers, routeOptions } = request
  if (method === 'GET' || method === 'HEAD' || headers['if-match'] === undefined) return
  if (routeOptions.config.hasPrecondition === true) return
  throw new Problem('malformed', {
    detail: 'This operation does not look at `If-Match`. Leave it out.',
    source: { header: 'If-Match' },
  })
}

/** Cached: a reading never changes, and some are used for several requests (`db/row-memory.ts`). */
const states = new WeakMap<Reading, string>()

function hashStateOf(reading: Reading): string {
  const known = states.get(reading)
  if (known !== undefined) return known
  const { write, link } = kindOf(reading)
  // Not as they are shown: two states of one second are two states.
  const state = hashText(JSON.stringify([reading.type, reading.id, write(reading), link(reading)]))
  states.set(reading, state)
  return state
}

function digestOf(text: string, type: string): string {
  return hashText(`${type}\n${text}`)
}

function hashText(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, hashLength)
}
