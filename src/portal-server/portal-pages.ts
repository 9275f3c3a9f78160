/**
 * The server side of the portal: the page that starts the app, at each of its addresses, the files that it loads, and
 * numbers to try while the sandbox is on.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../api/callers/request-caller.ts'
import { Problem } from '../api/errors/problem.ts'
import { prefersHtml } from '../api/http/media-type.ts'
import { readPathParameter } from '../api/http/path-parameters.ts'
import { sendText } from '../api/responses/send.ts'
import { isReady } from '../modules/installation/is-ready.ts'
import type { Service } from '../modules/service.ts'
import { writeAppPage } from './app/app-page.ts'
import { chooseCoding, filesForOtherSites, findAppPage, findPortalFile, type PortalFile } from './app/files.ts'
import { sharedPage } from './app/shared-page.ts'
import { suggestNumbers } from './app/suggestions.ts'
import { findVisitor } from './visitor.ts'

const open = { config: { isOpen: true }, schema: { hide: true } } as const

/** The addresses of the app's pages besides `/`, as in `portal/src/router.tsx`. */
const appPaths = [
  '/track',
  '/shipments',
  '/shipments/find',
  '/shipments/:id',
  '/containers',
  '/charges',
  '/charges/:part',
  '/fleet',
  '/documents',
  '/attention',
  '/developers/:part',
  '/operate/:part',
  '/administration/:part',
] as const
const yearS = 31_536_000

/**
 * The page loads nothing from other servers, has no inline script or style, no form that the browser itself sends, and
 * cannot be framed.
 */
const contentSecurityPolicy = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function portalPages(app: FastifyInstance, service: Service): void {
  sharedPage(app, service)
  app.get('/', open, (request, reply) => sendAppPage(service, request, reply))
  for (const path of appPaths)
    app.get(path, open, (request, reply) => {
      // A program that has forgotten `/v2` gets an answer in its own format that states this.
      if (!prefersHtml(request.headers.accept)) throw nothingHere()
      return sendAppPage(service, request, reply)
    })

  app.get('/portal/:file', open, (request, reply) =>
    sendFile(request, reply, readPathParameter(request.params, 'file')),
  )
  app.get('/portal/assets/:file', open, (request, reply) =>
    sendFile(request, reply, `assets/${readPathParameter(request.params, 'file')}`),
  )

  // Needs a key, because simulated numbers are useful only for a simulated account.
  app.get('/portal/suggestions', { schema: { hide: true } }, async (request, reply) => {
    const suggestions = await suggestNumbers(service, callerOf(request).context)
    return sendText(reply, JSON.stringify({ suggestions }))
  })
}

function nothingHere(): Problem {
  return new Problem('not_found', { detail: 'There is nothing at this address. The API is at /v2.' })
}

async function sendAppPage(service: Service, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const state = await isReady(service)
  const answers = state.database && state.migrations
  const health = state.isReady ? 'works' : answers ? 'ails' : 'away'
  // Without a database nobody can be signed in. The page itself shows that the database is missing.
  const visitor = answers ? await findVisitor(service, request) : null
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .send(writeAppPage(service.config, { health, visitor, page: findAppPage() }))
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> {
  const found = findPortalFile(name)
  if (found === null) throw nothingHere()
  reply.headers({
    'content-type': found.contentType,
    'content-security-policy': contentSecurityPolicy,
    'cache-control': found.isImmutable ? `public, max-age=${yearS}, immutable` : 'no-cache',
    etag: found.tag,
  })
  if (filesForOtherSites.includes(name)) reply.header('access-control-allow-origin', '*')
  if (request.headers['if-none-match'] === found.tag) return reply.status(304).send()
  if (Object.keys(found.compressed).length > 0) reply.header('vary', 'accept-encoding')
  else reply.header('accept-ranges', 'bytes')
  const range = readRange(request.headers.range, found)
  if (range !== null) return sendRange(reply, found, range)
  const coding = chooseCoding(found, request.headers['accept-encoding'])
  if (coding === null) return reply.send(found.bytes)
  return reply.header('content-encoding', coding).send(found.compressed[coding])
}

interface Range {
  readonly from: number
  /** Included. */
  readonly to: number
}

/**
 * RFC 9110, 14: one range of a file that is not compressed. Null: the complete file is the answer, as to any other
 * range.
 */
function readRange(header: string | undefined, { bytes, compressed }: PortalFile): Range | null {
  const [, first, last] = /^bytes=(\d{1,12})-(\d{0,12})$/.exec(header ?? '') ?? []
  if (first === undefined || Object.keys(compressed).length > 0) return null
  const to = last ? Math.min(Number(last), bytes.length - 1) : bytes.length - 1
  return { from: Number(first), to }
}

function sendRange(reply: FastifyReply, { bytes }: PortalFile, { from, to }: Range): FastifyReply {
  if (from > to) return reply.status(416).header('content-range', `bytes */${bytes.length}`).send()
  reply.status(206).header('content-range', `bytes ${from}-${to}/${bytes.length}`)
  return reply.send(bytes.subarray(from, to + 1))
}
