/**
 * The HTTP server: one Fastify app over the service. Routes have the names of their paths, and refusals come from one
 * table.
 */

import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Problem, problemOf, writeProblem } from '../api/errors/problem.ts'
import { replayIdempotentRequests } from '../api/hooks/answer-repeats.ts'
import { handleCors } from '../api/hooks/cors.ts'
import { guardRequests, requestId } from '../api/hooks/guard-requests.ts'
import { foldSlashes, rememberPaths } from '../api/hooks/known-paths.ts'
import { drainUnreadBodies, isDrainingBody } from '../api/hooks/unread-body.ts'
import { keepAliveMs, limitConnections } from '../api/http/connections.ts'
import { isReadableBodyType, json, jsonApi, negotiateMediaType, prefersHtml } from '../api/http/media-type.ts'
import { noCompilers } from '../api/http/no-compilers.ts'
import { traceRequests } from '../api/http/trace-requests.ts'
import { requireSecureTransport } from '../api/http/transport-security.ts'
import { registerAllResources } from '../api/json-api/all-resources.ts'
import { adviseNarrowing } from '../api/query/advise-narrowing.ts'
import { ignoreUnknownMembers } from '../api/query/lenience.ts'
import { bodyBytesMax, parseBody } from '../api/request-body/body.ts'
import { compressAnswers } from '../api/responses/compress-answers.ts'
import { tagAnswers } from '../api/responses/entity-tag.ts'
import { sendText } from '../api/responses/send.ts'
import { errorTable } from '../api/shape/error-table.ts'
import { dcsaRoutes } from '../dcsa-out/dcsa-routes.ts'
import { isStandardPath, writeStandardError } from '../dcsa-out/standard-error.ts'
import { mcpRoutes } from '../mcp/transport/mcp-routes.ts'
import { authenticateBearer } from '../modules/oauth-apps/authenticate-bearer.ts'
import type { Service } from '../modules/service.ts'
import { closeLimiter } from '../modules/usage/limiter.ts'
import { oauthRoutes } from '../oauth/oauth-routes.ts'
import { guidePages } from '../portal-server/guide/guide.ts'
import { sendProblemAsPage } from '../portal-server/page-parts/problem-page.ts'
import { alertAnswerPages } from '../portal-server/pages/alert-answer-pages.ts'
import { peoplePages } from '../portal-server/people-pages.ts'
import { portalPages } from '../portal-server/portal-pages.ts'
import { routes } from './routes.ts'

/**
 * `requestMs` is for headers and body together, so that a client that sends its body very slowly is disconnected.
 * `repeatMs`: how long a repeated POST waits for the first one. `drainMs`: how long the rest of a refused body is still
 * read.
 */
const timeouts = { headersMs: 10_000, requestMs: 30_000, checkMs: 1_000, repeatMs: 20_000, drainMs: 5_000 }
const headerBytesMax = 16_384

/** Adds what describes the routes, before there are any. */
type Describe = (app: FastifyInstance) => Promise<void>

/**
 * Creates the app, for tests (`inject`) or to listen. Routes can be added until then. Closing it waits for the running
 * requests.
 */
export async function createApiApp(
  service: Service,
  { describe, ...given }: Partial<typeof timeouts> & { describe?: Describe } = {},
): Promise<FastifyInstance> {
  registerAllResources()
  const { headersMs, requestMs, checkMs, repeatMs, drainMs } = { ...timeouts, ...given }
  const { trustedProxies } = service.config.network
  const app = Fastify({
    logger: false,
    bodyLimit: bodyBytesMax,
    requestIdHeader: false,
    genReqId: (raw) => requestId(service, raw.headers['x-request-id']),
    requestTimeout: requestMs,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    keepAliveTimeout: keepAliveMs(service.config),
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
    schemaController: noCompilers,
    rewriteUrl: ({ url = '/' }) => foldSlashes(url),
    http: {
      headersTimeout: headersMs,
      connectionsCheckingInterval: checkMs,
      maxHeaderSize: headerBytesMax,
      // Node would refuse such a request without a body; our guard explains the refusal.
      requireHostHeader: false,
    },
    clientErrorHandler: refuseRaw,
    frameworkErrors: (error, request, reply) => sendProblem(service, { error, request, reply }),
  })
  traceRequests(app)
  limitConnections(app.server, service)
  requireSecureTransport(app, service.config)
  addBodyParsers(app)
  app.setErrorHandler((error, request, reply) => sendProblem(service, { error, request, reply }))
  const methodsAt = rememberPaths(app)
  app.setNotFoundHandler(async (request) => {
    throw nothingHere(request, methodsAt)
  })
  await describe?.(app)
  handleCors(app, service, methodsAt)
  guardRequests(app, service)
  ignoreUnknownMembers(app, service)
  replayIdempotentRequests(app, repeatMs)
  tagAnswers(app)
  await compressAnswers(app)
  drainUnreadBodies(app, drainMs)
  app.addHook('onClose', async () => closeLimiter(service))
  app.addHook('onResponse', (request, reply, done) => {
    recordAnswer(service, request, reply)
    done()
  })
  for (const add of routes) add(app, service)
  for (const add of [portalPages, peoplePages, oauthRoutes, alertAnswerPages, guidePages, dcsaRoutes]) add(app, service)
  await mcpRoutes(app, service, {
    resource: 'mcp_beside_api',
    verifyBearer: authenticateBearer,
    paths: ['/mcp'],
    metadataPaths: ['/mcp'],
  })
  return app
}

function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([jsonApi, json], { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      if (!isReadableBodyType(request.headers['content-type'])) throw unreadableType()
      if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? '')) throw unreadableCoding()
      done(null, parseBody(bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

interface FailedRequest {
  readonly error: unknown
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

function sendProblem(service: Service, { error, request, reply }: FailedRequest): FastifyReply {
  const problem = addNarrowingAdvice(problemOf(error), request)
  const route = request.routeOptions?.url ?? 'none'
  if (problem.code === 'internal') service.metrics.requestCrashed({ route, requestId: request.id, error })
  else if (problem.code === 'unavailable') service.log.warn('database.unreachable', { requestId: request.id, error })
  else
    service.log.debug('request.refused', {
      requestId: request.id,
      route,
      code: problem.code,
      error: (error as Error).cause,
    })
  // The addresses of the API are for programs, so a refusal there is never a page, even in a browser.
  if (prefersHtml(request.headers.accept) && !/^\/(v2|rails|dcsa)(\/|\?|$)/.test(request.url))
    return sendProblemAsPage(problem, request, reply.header('x-request-id', request.id))
  const type = negotiateMediaType(request.headers.accept) ?? jsonApi
  reply.status(errorTable[problem.code].status).headers({
    'x-request-id': request.id,
    ...problem.headers,
    'content-type': type,
    'cache-control': 'no-store',
  })
  if (!isStandardPath(request.url)) return sendText(reply, JSON.stringify(writeProblem(problem)))
  const at = new Date(service.clock.now()).toISOString()
  const of = { method: request.method, uri: request.url, at }
  return sendText(reply.header('content-type', json), JSON.stringify(writeStandardError(problem, of)))
}

function addNarrowingAdvice(problem: Problem, request: FastifyRequest): Problem {
  if (problem.code !== 'took_too_long') return problem
  const faults = problem.faults.map((fault) => adviseNarrowing(request, fault))
  return new Problem(problem.code, faults, problem.headers)
}

/** Answers what the HTTP parser itself refuses. There is no request and no route, so it writes to the socket. */
function refuseRaw(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const code =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? 'too_slow'
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? 'headers_too_large'
        : 'malformed'
  const { status, title } = errorTable[code]
  const detail =
    code === 'malformed'
      ? 'This cannot be read as HTTP/1.1: its method, its headers or its length are broken.'
      : errorTable[code].when
  const body = JSON.stringify(writeProblem(new Problem(code, { detail })))
  const head = [`HTTP/1.1 ${status} ${title}`, `Content-Type: ${jsonApi}`, `Content-Length: ${Buffer.byteLength(body)}`]
  if (socket.writable && !isDrainingBody(socket)) socket.write([...head, 'Connection: close', '', body].join('\r\n'))
  socket.destroySoon()
}

function unreadableType(): Problem {
  const detail =
    'JSON:API takes no media type parameters but `profile`, and no `ext` is supported here. Send the bare media type.'
  return new Problem('unsupported_media_type', { detail, source: { header: 'Content-Type' } })
}

/** Without this check, a compressed body would be refused as invalid JSON. */
function unreadableCoding(): Problem {
  const detail = 'Send the body as it is, without Content-Encoding.'
  return new Problem('unsupported_media_type', { detail, source: { header: 'Content-Encoding' } })
}

function nothingHere(request: FastifyRequest, methodsAt: (path: string) => readonly string[]): Problem {
  const methods = methodsAt(request.url.split('?', 1)[0] ?? '')
  if (methods.length === 0 || methods.includes(request.method)) {
    return new Problem('not_found', { detail: 'There is nothing at this address.' })
  }
  const allow = methods.join(', ')
  return new Problem('method_not_allowed', { detail: `This address knows ${allow}.` }, { allow })
}

function recordAnswer(service: Service, request: FastifyRequest, reply: FastifyReply): void {
  const labels = {
    method: request.method,
    route: request.routeOptions.url ?? 'none',
    status: String(reply.statusCode),
  }
  service.metrics.requestAnswered({
    ...labels,
    requestId: request.id,
    durationMs: Math.round(reply.elapsedTime * 100) / 100,
  })
}
