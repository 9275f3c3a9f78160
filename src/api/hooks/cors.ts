/**
 * Which pages of other sites may read answers (CORS, Fetch Standard 3.2). Pages of the origins that the operator names
 * may read all that their key allows. Pages of any site may read the few operations that a publishable key allows.
 * Cookies never count.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { publishableOperations } from '../../modules/api-keys/authenticate-publishable.ts'
import type { Service } from '../../modules/service.ts'
import { hasPublishableKey } from '../callers/identify-caller.ts'
import { patternOf } from './known-paths.ts'

const readable = 'ETag, Link, Location, Preference-Applied, Retry-After, X-Request-Id'
const sendable =
  'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, X-Account-Id, X-CSRF-Token, X-Request-Id, X-Requested-With'

/** Register this before the guard: a preflight carries no key, and the page must be able to read a refusal too. */
export function handleCors(
  app: FastifyInstance,
  service: Service,
  methodsAt: (path: string) => readonly string[],
): void {
  const { corsOrigins } = service.config.edge
  const embeddable: RegExp[] = []
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (method === 'GET' && Object.hasOwn(publishableOperations, schema?.operationId ?? ''))
      embeddable.push(patternOf(url))
  })
  const isNamed = (origin: string): boolean => corsOrigins.includes('*') || corsOrigins.includes(origin)
  app.addHook('onRequest', (request, reply, done) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const { origin } = request.headers
    if (origin !== undefined && isNamed(origin)) allowOrigin(reply, origin, readable)
    else if (origin !== undefined && hasPublishableKey(request))
      allowOrigin(reply, origin, 'ETag, Retry-After, X-Request-Id')
    const methods = request.method === 'OPTIONS' ? methodsAt(path) : []
    // The MCP and OAuth routes answer OPTIONS themselves.
    if (methods.length === 0 || methods.includes('OPTIONS')) {
      done()
      return
    }
    const isEmbeddable = readPreflightMethod(request) === 'GET' && embeddable.some((each) => each.test(path))
    if (origin !== undefined && isNamed(origin)) answerPreflight(reply, methods.join(', '), sendable)
    else if (origin !== undefined && isEmbeddable) {
      allowOrigin(reply, origin, null)
      answerPreflight(reply, 'GET', 'Authorization, If-None-Match')
    }
    reply
      .status(204)
      .header('allow', [...methods, 'OPTIONS'].join(', '))
      .send()
  })
}

function readPreflightMethod({ headers }: FastifyRequest): string | undefined {
  return headers['access-control-request-method']
}

function allowOrigin(reply: FastifyReply, origin: string, exposed: string | null): void {
  reply.headers({ 'access-control-allow-origin': origin, vary: 'Origin' })
  if (exposed !== null) reply.header('access-control-expose-headers', exposed)
}

/**
 * Answers the preflight. This gives no access yet: the answer to the request itself states, after the check of the key,
 * whether the page may read it.
 */
function answerPreflight(reply: FastifyReply, methods: string, headers: string): void {
  reply.headers({
    'access-control-allow-methods': methods,
    'access-control-allow-headers': headers,
    'access-control-max-age': '600',
  })
}
