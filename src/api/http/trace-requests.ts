/** Makes each request a span, and continues the trace of its caller (W3C Trace Context). */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type OpenSpan, runInSpan } from '../../platform/live-span.ts'
import { isTracing, openSpan } from '../../platform/traces.ts'

/** Endpoints that programs of the operator poll every few seconds; their spans would hide the others. */
const untraced: readonly unknown[] = ['/healthz', '/readyz', '/metrics']

const decorator = 'span'

/** Call it before any other hook is added. Without traces it adds nothing. */
export function traceRequests(app: FastifyInstance): void {
  if (!isTracing()) return
  app.decorateRequest(decorator, null)
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const { traceparent } = request.headers
    const span = untraced.includes(route)
      ? null
      : openSpan(`${request.method} ${route}`, () => ({
          kind: 'server',
          attributes: {
            'http.request.method': request.method,
            'http.route': route,
            'landfall.request_id': request.id,
          },
          parent: typeof traceparent === 'string' ? traceparent : null,
        }))
    request.setDecorator<OpenSpan | null>(decorator, span)
    runInRequestSpan(request, done)
  })
  // Reading the body loses the async context.
  app.addHook('preValidation', (request, _reply, done) => runInRequestSpan(request, done))
  app.addHook('onResponse', (request, reply, done) => {
    const span = findSpan(request)
    span?.set({ 'http.response.status_code': reply.statusCode })
    if (reply.statusCode >= 500) span?.fail(String(reply.statusCode))
    runInRequestSpan(request, done)
    span?.end()
  })
}

/** Null where the route is not traced. */
function findSpan(request: FastifyRequest): OpenSpan | null {
  return request.getDecorator<OpenSpan | null>(decorator)
}

function runInRequestSpan(request: FastifyRequest, next: () => void): void {
  const span = findSpan(request)
  if (span === null) next()
  else runInSpan(span, next)
}
