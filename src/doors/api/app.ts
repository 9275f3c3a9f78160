/** The HTTP door: one Fastify app over the service, routes named after their paths, refusals from one table. */

import type { Socket } from 'node:net'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { closeLimiter } from '../../service/limits/limiter.ts'
import { authenticateBearer } from '../../service/people/access/authenticate-bearer.ts'
import type { Service } from '../../service/service.ts'
import { boundConnections, keepAliveMs } from '../connections.ts'
import { mcpRoutes } from '../mcp/mcp-routes.ts'
import { oauth } from '../oauth/serve.ts'
import { people } from '../portal/people.ts'
import { portal } from '../portal/portal.ts'
import { sendProblemAsPage } from '../portal/problem-page.ts'
import { requireSecureTransport } from '../transport-security.ts'
import { sendText } from './answer.ts'
import { bodyBytesMax, parseBody } from './body.ts'
import { compressAnswers } from './compress.ts'
import { answerOtherOrigins } from './cors.ts'
import { describeEdge } from './edge-operations.ts'
import { tagAnswers } from './entity-tag.ts'
import { errorTable } from './error-table.ts'
import { guard, requestId } from './guard.ts'
import { foldSlashes, rememberPaths } from './known-paths.ts'
import { passOverUnknown } from './lenience.ts'
import { isReadable, json, jsonApi, negotiate, prefersHtml } from './media-type.ts'
import { sayWhatToNarrow } from './narrow.ts'
import { openApiInfo } from './open-api.ts'
import { componentSchemas } from './operation.ts'
import { Problem, problemOf, writeProblem } from './problem.ts'
import { answerRepeats } from './repeats.ts'
import { routes } from './routes.ts'
import { drainUnreadBodies, isAnswered } from './unread-body.ts'

/**
 * `requestMs`: for headers and body together, so that a client that drips its body is cut off. `repeatMs`: how long a
 * repeated POST waits for the first one. `drainMs`: how long a body that is refused is still taken.
 */
const timeouts = { headersMs: 10_000, requestMs: 30_000, checkMs: 1_000, repeatMs: 20_000, drainMs: 5_000 }
const headerBytesMax = 16_384

/** To be asked (`inject`) or to listen; until then routes can be added. Closing it waits for the requests under way. */
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
      // Node would refuse it without a word; the guard does with one.
      requireHostHeader: false,
    },
    clientErrorHandler: refuseRaw,
    frameworkErrors: (error, request, reply) => sendProblem(service, { error, request, reply }),
  })
  boundConnections(app.server, service)
  requireSecureTransport(app, service.config)
  // Bodies and queries are read by ours, which name the fault's place; answers are texts already.
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
  for (const add of [portal, people, oauth]) add(app, service)
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
  // What is at an address of the API is for programs, whoever opens it.
  if (prefersHtml(request.headers.accept) && !/^\/(v2|rails)(\/|\?|$)/.test(request.url))
    return sendProblemAsPage(problem, request, reply.header('x-request-id', request.id))
  const type = negotiate(request.headers.accept) ?? jsonApi
  reply.status(errorTable[problem.code].status).headers({
    'x-request-id': request.id,
    ...problem.headers,
    'content-type': type,
    'cache-control': 'no-store',
  })
  return sendText(reply, JSON.stringify(writeProblem(problem)))
}

function namingWhatToNarrow(problem: Problem, request: FastifyRequest): Problem {
  if (problem.code !== 'took_too_long') return problem
  const faults = problem.faults.map((fault) => sayWhatToNarrow(request, fault))
  return new Problem(problem.code, faults, problem.headers)
}

/** What the HTTP parser itself refuses: no request, no route, so the answer is written to the socket. */
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

/** Unread, it would be told to be no JSON. */
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
