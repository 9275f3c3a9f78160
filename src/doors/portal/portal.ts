/** The portal's server side: the first page at `/`, the files that it loads, and numbers to try while the sandbox is on. */

import type { FastifyInstance } from 'fastify'
import { isReady } from '../../service/running/readiness/is-ready.ts'
import type { Service } from '../../service/service.ts'
import { sendText } from '../api/answer.ts'
import { callerOf } from '../api/caller.ts'
import { readPart } from '../api/path-id.ts'
import { Problem } from '../api/problem.ts'
import { findClientFile } from './client-files.ts'
import { writeFirstPage } from './first-page.ts'
import { suggestNumbers } from './suggestions.ts'
import { findVisitor } from './visitor.ts'

const open = { config: { isOpen: true }, schema: { hide: true } } as const

/** Nothing from elsewhere, nothing inline, no form that the browser itself would send, nobody's frame. */
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
    // Without a database nobody is signed in, and the page says so itself.
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

  // With a key: what is simulated is of use only to an account that lives in the simulation.
  app.get('/portal/suggestions', { schema: { hide: true } }, async (request, reply) => {
    const suggestions = await suggestNumbers(service, callerOf(request).context)
    return sendText(reply, JSON.stringify({ suggestions }))
  })
}
