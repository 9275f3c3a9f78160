/**
 * The server side of the portal: the first page at `/`, the files that it loads, and numbers to try while the sandbox
 * is on.
 */

import type { FastifyInstance } from 'fastify'
import { isReady } from '../../service/running/readiness/is-ready.ts'
import type { Service } from '../../service/service.ts'
import { sendText } from '../api/answering/answer.ts'
import { callerOf } from '../api/caller/caller.ts'
import { readPart } from '../http/path-id.ts'
import { Problem } from '../http/problem.ts'
import { findClientFile } from './first-page/client-files.ts'
import { writeFirstPage } from './first-page/first-page.ts'
import { suggestNumbers } from './first-page/suggestions.ts'
import { findVisitor } from './visitor.ts'

const open = { config: { isOpen: true }, schema: { hide: true } } as const

/**
 * The page loads nothing from other servers, has no inline script or style, no form that the browser itself sends, and
 * cannot be framed.
 */
const contentSecurityPolicy = [
  "default-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function portal(app: FastifyInstance, service: Service): void {
  app.get('/', open, async (request, reply) => {
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
      .send(writeFirstPage(service.config, { health, visitor }))
  })

  app.get('/portal/:file', open, async (request, reply) => {
    const found = findClientFile(readPart(request.params, 'file'))
    if (found === null) throw new Problem('not_found', { detail: 'There is nothing at this address.' })
    reply.headers({
      'content-type': found.contentType,
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-cache',
      etag: found.tag,
    })
    return request.headers['if-none-match'] === found.tag ? reply.status(304).send() : reply.send(found.bytes)
  })

  // Needs a key, because simulated numbers are useful only for a simulated account.
  app.get('/portal/suggestions', { schema: { hide: true } }, async (request, reply) => {
    const suggestions = await suggestNumbers(service, callerOf(request).context)
    return sendText(reply, JSON.stringify({ suggestions }))
  })
}
