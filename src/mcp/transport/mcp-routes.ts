/**
 * The MCP endpoint and the metadata of its resource as routes of a Fastify app. They are at the API's origin or at
 * their own.
 */

import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from '../../api/http/html.ts'
import { prefersHtml } from '../../api/http/media-type.ts'
import { readPathParameter } from '../../api/http/path-parameters.ts'
import { readLoopbackName, resourceIdentifiers } from '../../modules/oauth-apps/protected-resources.ts'
import type { Service } from '../../modules/service.ts'
import { sendPage, writePage } from '../../portal-server/page-parts/page.ts'
import { readServerPart } from '../server/server-part.ts'
import type { Endpoint, EndpointOptions } from './endpoint.ts'
import { resourceMetadataRoutes } from './resource-metadata.ts'

const open = { config: { isOpen: true }, schema: { hide: true } } as const
const bodyBytesMax = 1_048_576
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

export async function mcpRoutes(
  app: FastifyInstance,
  service: Service,
  options: Omit<EndpointOptions, 'bodyBytesMax'> & {
    readonly paths: readonly string[]
    /** The parts of the metadata addresses after the well-known path. */
    readonly metadataPaths: readonly string[]
  },
): Promise<void> {
  let opened: Promise<Endpoint> | null = null
  const findEndpoint = (): Promise<Endpoint> => {
    opened ??= loadEndpoint(service, { ...options, bodyBytesMax })
    return opened
  }
  app.addHook('onClose', async () => (await opened)?.close())
  resourceMetadataRoutes(app, service, { resource: options.resource, paths: options.metadataPaths })
  await app.register(async (scope) => {
    // The SDK reads bodies itself, within its own limit.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    // An address with a slash at its end works too, and so do those of the parts of the server.
    for (const url of options.paths.flatMap((path) => (path === '/' ? [path] : [path, `${path}/*`]))) {
      scope.route({
        ...open,
        method: [...methods],
        url,
        bodyLimit: bodyBytesMax,
        handler: async (request, reply) => {
          const path = url.endsWith('*') ? readPathParameter(request.params, '*') : ''
          if (readServerPart(path) === null) return reply.callNotFound()
          if (request.method === 'GET' && prefersHtml(request.headers.accept))
            return sendBrowserNotice(
              reply,
              resourceIdentifiers(service.config, readLoopbackName(request.host))[options.resource],
            )
          reply.hijack()
          const calledAs = readLoopbackName(request.host)
          const sender = { address: request.ip, requestId: request.id, calledAs, path }
          const [endpoint, { toNodeHandler }] = await Promise.all([
            findEndpoint(),
            import('@modelcontextprotocol/node'),
          ])
          const answer = toNodeHandler(
            { fetch: (webRequest) => endpoint.answer(webRequest, sender) },
            { maxRequestBodySize: bodyBytesMax },
          )
          reply.raw.setHeader('x-request-id', request.id)
          await answer(Object.assign(request.raw, { method: request.method, url: request.url }), reply.raw)
        },
      })
    }
  })
}

/** The SDK and the tools are loaded with the first message of an agent. */
async function loadEndpoint(service: Service, options: EndpointOptions): Promise<Endpoint> {
  const { openEndpoint } = await import('./endpoint.ts')
  return openEndpoint(service, options)
}

/** For a person who has opened the address in a browser. */
function sendBrowserNotice(reply: FastifyReply, address: string): FastifyReply {
  const body = html`<section class="gate"><h2>This address is for agents</h2>
<p>Here is the MCP server. There is nothing to look at: give the address to your agent, which then asks you to let it in.</p>
<p class="secret"><code>${address}</code></p></section>`
  const page = writePage({ title: 'MCP', visitor: null, body })
  return sendPage(reply.header('allow', 'POST'), { status: 405, page })
}
