/**
 * The MCP server at an origin of its own: `/` (and `/mcp`, for clients that append it) and the metadata of its
 * resource.
 */

import Fastify, { type FastifyInstance } from 'fastify'
import { Problem } from '../../api/errors/problem.ts'
import { keepAliveMs, limitConnections } from '../../api/http/connections.ts'
import { prefersHtml } from '../../api/http/media-type.ts'
import { noCompilers } from '../../api/http/no-compilers.ts'
import { traceRequests } from '../../api/http/trace-requests.ts'
import { requireSecureTransport } from '../../api/http/transport-security.ts'
import { authenticateBearer, type VerifyBearer } from '../../modules/oauth-apps/authenticate-bearer.ts'
import type { Service } from '../../modules/service.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { sendProblemAsPage } from '../../portal-server/page-parts/problem-page.ts'
import type { ServerExtension } from '../server/mcp-server.ts'
import { jsonRpcError } from './json-rpc-error.ts'
import { mcpRoutes } from './mcp-routes.ts'

const headersMs = 10_000
const requestMs = 30_000
/** How often connections that have exceeded a time-out are searched for. */
const checkMs = 1_000

/** An app that is ready to listen. Closing it ends the open streams of clients. */
export async function openMcp(
  service: Service,
  { verifyBearer = authenticateBearer, extend }: { verifyBearer?: VerifyBearer; extend?: ServerExtension } = {},
): Promise<FastifyInstance> {
  const { trustedProxies } = service.config.network
  const app = Fastify({
    logger: false,
    schemaController: noCompilers,
    requestIdHeader: false,
    genReqId: () => uuidV7(service.clock.now()),
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs(service.config),
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    forceCloseConnections: true,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: checkMs, maxHeaderSize: 16_384 },
  })
  traceRequests(app)
  limitConnections(app.server, service)
  requireSecureTransport(app, service.config)
  const nothing = jsonRpcError(404, 'There is nothing at this address. MCP is served at /.')
  const nothingText = await nothing.text()
  app.setNotFoundHandler((request, reply) => {
    if (prefersHtml(request.headers.accept)) {
      const detail = 'There is nothing at this address. MCP is served at /.'
      return sendProblemAsPage(new Problem('not_found', { detail }), request, reply)
    }
    return reply.status(404).header('content-type', 'application/json').send(nothingText)
  })
  await mcpRoutes(app, service, {
    resource: 'mcp',
    verifyBearer,
    extend,
    paths: ['/', '/mcp'],
    metadataPaths: ['', '/mcp'],
  })
  return app
}
