/** The HTTP door: one Fastify app over the service, routes named after their paths, refusals from one table. */

import type { Socket } from 'node:net'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { authenticateBearer } from '../../service/access/authenticate-bearer.ts'
import { closeLimiter } from '../../service/limits/limiter.ts'
import type { Service } from '../../service/service.ts'
import { mcpRoutes } from '../mcp/mcp-routes.ts'
import { oauth } from '../oauth/serve.ts'
import { people } from '../portal/people.ts'
import { portal } from '../portal/portal.ts'
import { sendText } from './answer.ts'
import { bodyBytesMax, parseBody } from './body.ts'
import { describeEdge } from './edge-operations.ts'
import { allowEmbedding } from './embedding.ts'
import { tagAnswers } from './entity-tag.ts'
import { errorTable } from './error-table.ts'
import { guard, requestId } from './guard.ts'
import { isReadable, json, jsonApi, negotiate } from './media-type.ts'
import { openApiInfo } from './open-api.ts'
import { componentSchemas } from './operation.ts'
import { Problem, problemOf, writeProblem } from './problem.ts'
import { answerRepeats } from './repeats.ts'
import { containers } from './routes/containers.ts'
import { containersId } from './routes/containers-id.ts'
import { containersIdEvents } from './routes/containers-id-events.ts'
import { containersIdRoute } from './routes/containers-id-route.ts'
import { customFieldDefinitions } from './routes/custom-field-definitions.ts'
import { customFieldOptions } from './routes/custom-field-options.ts'
import { customFields } from './routes/custom-fields.ts'
import { description } from './routes/description.ts'
import { documents } from './routes/documents.ts'
import { entityCustomFields } from './routes/entity-custom-fields.ts'
import { events } from './routes/events.ts'
import { health } from './routes/health.ts'
import { history } from './routes/history.ts'
import { inferenceScorecard } from './routes/inference-scorecard.ts'
import { parties } from './routes/parties.ts'
import { places } from './routes/places.ts'
import { search } from './routes/search.ts'
import { shipments } from './routes/shipments.ts'
import { shipmentsBatch } from './routes/shipments-batch.ts'
import { shipmentsId } from './routes/shipments-id.ts'
import { shipmentsIdEtas } from './routes/shipments-id-etas.ts'
import { shippingLines } from './routes/shipping-lines.ts'
import { terminals } from './routes/terminals.ts'
import { trackingRequests } from './routes/tracking-requests.ts'
import { trackingRequestsBatch } from './routes/tracking-requests-batch.ts'
import { trackingRequestsId } from './routes/tracking-requests-id.ts'
import { trackingRequestsIdAttempts } from './routes/tracking-requests-id-attempts.ts'
import { trackingRequestsInferNumber } from './routes/tracking-requests-infer-number.ts'
import { vessels } from './routes/vessels.ts'
import { vesselsIdFuturePositions } from './routes/vessels-id-future-positions.ts'
import { webhookNotifications } from './routes/webhook-notifications.ts'
import { webhooks } from './routes/webhooks.ts'
import { webhooksAbout } from './routes/webhooks-about.ts'
import { webhooksId, webhooksIdVerbs } from './routes/webhooks-id.ts'

/**
 * `requestMs`: for headers and body together, so that a client that drips its body is cut off. `repeatMs`: how long a
 * repeated POST waits for the first one.
 */
const timeouts = { headersMs: 10_000, requestMs: 30_000, checkMs: 1_000, repeatMs: 20_000 }
const headerBytesMax = 16_384

/** To be asked (`inject`) or to listen; until then routes can be added. Closing it waits for the requests under way. */
export async function openApi(
  service: Service,
  given: Partial<typeof timeouts> = {},
): Promise<FastifyInstance> {
  const { headersMs, requestMs, checkMs, repeatMs } = { ...timeouts, ...given }
  const { trustedProxies } = service.config.network
  const app = Fastify({
    logger: false,
    bodyLimit: bodyBytesMax,
    requestIdHeader: false,
    genReqId: (raw) => requestId(service, raw.headers['x-request-id']),
    requestTimeout: requestMs,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
    http: {
      headersTimeout: headersMs,
      connectionsCheckingInterval: checkMs,
      maxHeaderSize: headerBytesMax,
    },
    clientErrorHandler: refuseRaw,
    frameworkErrors: (error, request, reply) => sendProblem(service, { error, request, reply }),
  })
  // Bodies and queries are read by ours, which name the fault's place; answers are texts already.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([jsonApi, json], { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      if (!isReadable(request.headers['content-type'])) throw unreadableType()
      done(null, parseBody(bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  app.setErrorHandler((error, request, reply) => sendProblem(service, { error, request, reply }))
  const methods = rememberMethods(app)
  app.setNotFoundHandler(async (request) => {
    throw nothingHere(request, methods)
  })
  describeEdge(app)
  allowEmbedding(app)
  guard(app, service)
  answerRepeats(app, repeatMs)
  tagAnswers(app)
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
  for (const routes of [trackingRequests, shipments, containers]) routes(app, service)
  for (const routes of [trackingRequestsId, shipmentsId, shipmentsIdEtas]) routes(app)
  for (const routes of [containersId, containersIdEvents, shippingLines]) routes(app)
  for (const routes of [trackingRequestsInferNumber, inferenceScorecard]) routes(app)
  for (const routes of [containersIdRoute, vesselsIdFuturePositions]) routes(app)
  for (const routes of [
    parties,
    customFieldDefinitions,
    customFieldOptions,
    customFields,
    entityCustomFields,
  ])
    routes(app)
  for (const routes of [
    places,
    terminals,
    vessels,
    history,
    trackingRequestsBatch,
    trackingRequestsIdAttempts,
    shipmentsBatch,
  ])
    routes(app)
  search(app)
  for (const routes of [webhooks, webhooksId, webhooksIdVerbs, webhooksAbout, webhookNotifications])
    routes(app)
  documents(app)
  events(app, service)
  health(app, service)
  description(app)
  portal(app, service)
  people(app, service)
  oauth(app, service)
  await mcpRoutes(app, service, {
    resource: 'mcp_beside_api',
    verifyBearer: authenticateBearer,
    paths: ['/mcp'],
    metadataPaths: ['/mcp'],
  })
  return app
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
  const problem = problemOf(error)
  const route = request.routeOptions?.url ?? 'none'
  if (problem.code === 'internal')
    service.metrics.record('request.crashed', { route }, { requestId: request.id, error })
  else if (problem.code === 'unavailable')
    service.log.warn('database.unreachable', { requestId: request.id, error })
  else
    service.log.debug('request.refused', {
      requestId: request.id,
      route,
      code: problem.code,
      error: (error as Error).cause,
    })
  const type = negotiate(request.headers.accept) ?? jsonApi
  reply.status(errorTable[problem.code].status).headers({
    'x-request-id': request.id,
    ...problem.headers,
    'content-type': type,
    'cache-control': 'no-store',
  })
  return sendText(reply, JSON.stringify(writeProblem(problem)))
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
  const body = JSON.stringify(writeProblem(new Problem(code, { detail: errorTable[code].when })))
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    `Content-Type: ${jsonApi}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  if (socket.writable) socket.write([...head, 'Connection: close', '', body].join('\r\n'))
  socket.destroySoon()
}

function unreadableType(): Problem {
  const detail =
    'JSON:API takes no media type parameters but `profile`, and no `ext` is supported here. Send the bare media type.'
  return new Problem('unsupported_media_type', { detail, source: { header: 'Content-Type' } })
}

interface KnownPath {
  readonly pattern: RegExp
  readonly methods: Set<string>
}

function rememberMethods(app: FastifyInstance): ReadonlyMap<string, KnownPath> {
  const paths = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? {
      pattern: new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`),
      methods: new Set(),
    }
    for (const each of [method].flat()) known.methods.add(each)
    paths.set(url, known)
  })
  return paths
}

function nothingHere(request: FastifyRequest, paths: ReadonlyMap<string, KnownPath>): Problem {
  const path = request.url.split('?', 1)[0] ?? ''
  const methods = new Set(
    [...paths.values()].filter(({ pattern }) => pattern.test(path)).flatMap(({ methods: each }) => [...each]),
  )
  if (methods.size === 0 || methods.has(request.method)) {
    return new Problem('not_found', { detail: 'There is nothing at this address.' })
  }
  const allow = [...methods].sort().join(', ')
  return new Problem('method_not_allowed', { detail: `This address knows ${allow}.` }, { allow })
}

function recordAnswer(service: Service, request: FastifyRequest, reply: FastifyReply): void {
  const labels = {
    method: request.method,
    route: request.routeOptions.url ?? 'none',
    status: String(reply.statusCode),
  }
  service.metrics.record('request.answered', labels, {
    requestId: request.id,
    durationMs: Math.round(reply.elapsedTime * 100) / 100,
  })
}
