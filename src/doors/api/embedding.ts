/** What lets a page of another site read the few operations that a publishable key opens (CORS, Fetch Standard 3.2). */

import type { FastifyInstance } from 'fastify'
import { publishableOperations } from '../../service/access/authenticate-publishable.ts'
import { isEmbedded } from './identify.ts'

/** Before the guard: a preflight carries no key, and a refusal must be readable by the page as well. */
export function allowEmbedding(app: FastifyInstance): void {
  const paths: RegExp[] = []
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (method === 'GET' && Object.hasOwn(publishableOperations, schema?.operationId ?? ''))
      paths.push(new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`))
  })
  app.addHook('onRequest', async (request, reply) => {
    const { origin, 'access-control-request-method': wanted } = request.headers
    if (origin === undefined) return
    const path = request.url.split('?', 1)[0] ?? ''
    if (request.method === 'OPTIONS' && wanted === 'GET' && paths.some((each) => each.test(path))) {
      // It promises nothing: whether the answer may be read is said with the answer, by the key.
      return reply
        .status(204)
        .headers({
          'access-control-allow-origin': origin,
          'access-control-allow-methods': 'GET',
          'access-control-allow-headers': 'Authorization, If-None-Match',
          'access-control-max-age': '600',
          vary: 'Origin',
        })
        .send()
    }
    if (isEmbedded(request))
      reply.headers({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'ETag, Retry-After, X-Request-Id',
      })
  })
}
