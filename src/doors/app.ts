/**
 * The HTTP server: one Fastify app over the service. Routes have the names of their paths, and refusals come from one
 * table.
 */

import type { Socket } from 'node:net'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { closeLimiter } from '../service/limits/limiter.ts'
import { authenticateBearer } from '../service/people/access/authenticate-bearer.ts'
import type { Service } from '../service/service.ts'
import { alertAnswerPages } from './alerts/answer-pages.ts'
import { sendText } from './api/answering/answer.ts'
import { compressAnswers } from './api/answering/compress.ts'
import { tagAnswers } from './api/answering/entity-tag.ts'
import { sayWhatToNarrow } from './api/asking/narrow.ts'
import { bodyBytesMax, parseBody } from './api/bodies/body.ts'
import { passOverUnknown } from './api/bodies/lenience.ts'
import { describeEdge } from './api/description/edge-operations.ts'
import { openApiInfo } from './api/description/open-api.ts'
import { componentSchemas } from './api/description/operation.ts'
import { answerOtherOrigins } from './api/passage/cors.ts'
import { guard, requestId } from './api/passage/guard.ts'
import { foldSlashes, rememberPaths } from './api/passage/known-paths.ts'
import { answerRepeats } from './api/passage/repeats.ts'
import { drainUnreadBodies, isAnswered } from './api/passage/unread-body.ts'
import { routes } from './api/routes.ts'
import { dcsa } from './dcsa/dcsa.ts'
import { isStandardPath, writeStandardError } from './dcsa/standard-error.ts'
import { guide } from './guide/guide.ts'
import { boundConnections, keepAliveMs } from './http/connections.ts'
import { errorTable } from './http/error-table.ts'
import { isReadable, json, jsonApi, negotiate, prefersHtml } from './http/media-type.ts'
import { Problem, problemOf, writeProblem } from './http/problem.ts'
import { traceRequests } from './http/trace-requests.ts'
import { requireSecureTransport } from './http/transport-security.ts'
import { mcpRoutes } from './mcp/transport/mcp-routes.ts'
import { oauth } from './oauth/serve.ts'
import { sendProblemAsPage } from './portal/page-parts/problem-page.ts'
import { people } from './portal/people.ts'
import { portal } from './portal/portal.ts'

/**
 * `requestMs` is for headers and body together, so that a client that sends its body very slowly is cut off.
 * `repeatMs`: how long a repeated POST waits for the first one. `drainMs`: how long the rest of a refused body is still
 * read.
 */
const timeouts = { headersMs: 10_000, requestMs: 30_000, checkMs: 1_000, repeatMs: 20_000, drainMs: 5_000 }
const headerBytesMax = 16_384

/**
 * Creates the app, for tests (`inject`) or to listen. Routes can be added until then. Closing it waits for the running
 * requests.
 */
export async function openApi(
  service: Service,
  given: Partial<typeof timeouts> = {},
): Promise<FastifyInstance> {
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
  boundConnections(app.server, service)
  requireSecureTransport(app, service.config)
  // Our own readers check bodies and queries, because they name the place of a fault. Answers are written as text
  // already.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  readBodies(app)
  app.setErrorHandler((error, request, reply) => sendProblem(service, { error, request, reply }))
  const methodsAt = rememberPaths(app)
  app.setNotFoundHandler(async (request) => {
    throw nothingHere(request, methodsAt)
  })
  describeEdge(app)
  answerOtherOrigins(app, service, methodsAt)
  guard(app, service)
  passOverUnknown(app, service)
  answerRepeats(app, repeatMs)
  tagAnswers(app)
  await compressAnswers(app)
  drainUnreadBodies(app, drainMs)
  app.addHook('onClose', async () => closeLimiter(service))
  app.addHook('onResponse', (request, reply, done) => {
    recordAnswer(service, request, reply)
    done()
  })
  for (const schema of componentSchemas()) app.addSchema(schema)
  await app.register(swagger, {
    openapi: openApiInfo,
    convertConstToEnum: false,
    refResolver: { buildLocalReference },
  })
  for (const add of routes) add(app, service)
  for (const add of [portal, people, oauth, alertAnswerPages, guide, dcsa]) add(app, service)
  await mcpRoutes(app, service, {
    resource: 'mcp_beside_api',
    verifyBearer: authenticateBearer,
    paths: ['/mcp'],
    metadataPaths: ['/mcp'],
  })
  return app
}

function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([jsonApi, json], { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      if (!isReadable(request.headers['content-type'])) throw unreadableType()
      if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? '')) throw unreadableCoding()
      done(null, parseBody(bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

function buildLocalReference(
  schema: { readonly $id?: unknown },
  _base: unknown,
  _fragment: unknown,
  index: number,
): string {
  return typeof schema.$id === 'string' ? schema.$id : `def-${index}`
}

interface Failure {
  readonly error: unknown
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

function sendProblem(service: Service, { error, request, reply }: Failure): FastifyReply {
  const problem = namingWhatToNarrow(problemOf(error), request)
  const route = request.routeOptions?.url ?? 'none'
  if (problem.code === 'internal') service.metrics.requestCrashed({ route, requestId: request.id, error })
  else if (problem.code === 'unavailable')
    service.log.warn('database.unreachable', { requestId: request.id, error })
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
  const type = negotiate(request.headers.accept) ?? jsonApi
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

function namingWhatToNarrow(problem: Problem, request: FastifyRequest): Problem {
  if (problem.code !== 'took_too_long') return problem
  const faults = problem.faults.map((fault) => sayWhatToNarrow(request, fault))
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
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    `Content-Type: ${jsonApi}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  if (socket.writable && !isAnswered(socket))
    socket.write([...head, 'Connection: close', '', body].join('\r\n'))
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
