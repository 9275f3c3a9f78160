/** The metadata of a protected resource (RFC 9728): who gives tokens for it, and with which scopes. */

import type { Config } from '../../platform/config.ts'
import {
  authorizationServer,
  type ProtectedResource,
  resourceIdentifiers,
} from '../../service/access/protected-resources.ts'
import { allScopes } from '../../service/oauth/token-scopes.ts'

export const metadataPath = '/.well-known/oauth-protected-resource'

/** Where the document is: before the path of the resource (RFC 9728, 3.1). */
export function metadataUrl(config: Config, resource: ProtectedResource): string {
  const { origin, pathname } = new URL(resourceIdentifiers(config)[resource])
  return `${origin}${metadataPath}${pathname === '/' ? '' : pathname}`
}

export function writeResourceMetadata(config: Config, resource: ProtectedResource): string {
  return JSON.stringify({
    resource: resourceIdentifiers(config)[resource],
    authorization_servers: [authorizationServer(config)],
    scopes_supported: allScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Landfall',
  })
}
