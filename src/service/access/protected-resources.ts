/**
 * What an access token may be meant for (RFC 8707), by its identifier: the REST API, the MCP server at its own origin, and
 * the MCP server beside the API; and who gives such tokens out. A token for one is worth nothing at another.
 */

import type { Config } from '../../platform/config.ts'

export const protectedResources = ['api', 'mcp', 'mcp_beside_api'] as const
export type ProtectedResource = (typeof protectedResources)[number]

/** A resource has one identifier, written without a trailing slash. */
export function resourceIdentifiers(config: Config): Readonly<Record<ProtectedResource, string>> {
  const { host, port, mcpPort, publicUrl } = config.server
  const api = publicUrl ?? `http://${urlHost(host)}:${port}`
  return {
    api: `${api}/v2`,
    mcp: config.mcp.publicUrl ?? `http://${urlHost(host)}:${mcpPort}`,
    mcp_beside_api: `${api}/mcp`,
  }
}

/** With and without its trailing slash, for clients write both. */
export function findResource(config: Config, identifier: string): ProtectedResource | null {
  const identifiers = resourceIdentifiers(config)
  const plain = identifier.replace(/\/$/, '')
  return protectedResources.find((resource) => identifiers[resource] === plain) ?? null
}

/** The issuer whose tokens are taken: this installation, unless another was named. */
export function authorizationServer(config: Config): string {
  const { host, port, publicUrl } = config.server
  return config.oauth.issuer ?? publicUrl ?? `http://${urlHost(host)}:${port}`
}

/** Nobody calls all addresses by their name: who listens on all is called on this machine's own. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
