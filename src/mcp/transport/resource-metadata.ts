/** The metadata of a protected resource (RFC 9728): which server issues tokens for it, and with which scopes. */

import type { FastifyInstance } from 'fastify'
import { readPathParameter } from '../../api/http/path-parameters.ts'
import {
  authorizationServer,
  type LoopbackName,
  type ProtectedResource,
  readLoopbackName,
  resourceIdentifiers,
} from '../../modules/oauth-apps/protected-resources.ts'
import { allScopes } from '../../modules/oauth-apps/token-scopes.ts'
import type { Service } from '../../modules/service.ts'
import type { Config } from '../../platform/config.ts'
import { readServerPart } from '../server/server-part.ts'

const open = { config: { isOpen: true }, schema: { hide: true } } as const

export const metadataPath = '/.well-known/oauth-protected-resource'

/** Address of the document. The well-known path comes before the path of the resource (RFC 9728, 3.1). */
export function metadataUrl(config: Config, resource: ProtectedResource, calledAs: LoopbackName | null): string {
  const { origin, pathname } = new URL(resourceIdentifiers(config, calledAs)[resource])
  return `${origin}${metadataPath}${pathname === '/' ? '' : pathname}`
}

/**
 * Serves the document at these addresses, with and without a slash at their end, and for the parts of the server at
 * `/mcp`. The slash is matched by a wildcard, so that the route also works in a router that removes slashes itself.
 */
export function resourceMetadataRoutes(
  app: FastifyInstance,
  service: Service,
  of: { readonly resource: ProtectedResource; readonly paths: readonly string[] },
): void {
  for (const path of of.paths)
    for (const ending of ['', '/*'])
      app.get(`${metadataPath}${path}${ending}`, open, async (request, reply) => {
        const rest = ending === '' ? '' : readPathParameter(request.params, '*')
        if (rest !== '' && !(path === '/mcp' && readServerPart(rest) !== null)) return reply.callNotFound()
        return reply
          .headers({
            'content-type': 'application/json',
            'access-control-allow-origin': '*',
            'cache-control': 'public, max-age=300',
          })
          .send(writeResourceMetadata(service.config, of.resource, readLoopbackName(request.host)))
      })
}

function writeResourceMetadata(config: Config, resource: ProtectedResource, calledAs: LoopbackName | null): string {
  return JSON.stringify({
    resource: resourceIdentifiers(config, calledAs)[resource],
    authorization_servers: [authorizationServer(config, calledAs)],
    scopes_supported: allScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Landfall',
  })
}
