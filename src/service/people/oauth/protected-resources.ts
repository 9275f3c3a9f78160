/**
 * What an access token may be meant for (RFC 8707), by its identifier: the REST API, the MCP server at its own origin, and
 * the MCP server beside the API; and who gives such tokens out. A token for the API is worth nothing at the tools, nor the
 * other way round.
 */

import type { Config } from '../../../platform/config.ts'

export const protectedResources = ['api', 'mcp', 'mcp_beside_api'] as const
export type ProtectedResource = (typeof protectedResources)[number]

/** This machine by any of its names: people write one, programs are configured with another. */
const namesOfThisMachine = ['127.0.0.1', 'localhost', '[::1]'] as const
export type LoopbackName = (typeof namesOfThisMachine)[number]

/** The name of this machine that a request named as its host, with or without a port; null for every other host. */
export function readLoopbackName(host: string | null | undefined): LoopbackName | null {
  const name = (host ?? '').replace(/:\d*$/, '').toLowerCase()
  return namesOfThisMachine.find((each) => each === name) ?? null
}

/**
 * A resource has one identifier, written without a trailing slash. `calledAs`: clients compare it with the address that
 * they were given, so a server that is known by a name of this machine goes by the one that the request has.
 */
export function resourceIdentifiers(
  config: Config,
  calledAs: LoopbackName | null = null,
): Readonly<Record<ProtectedResource, string>> {
  const { host, port, mcpPort, publicUrl } = config.server
  const api = under(calledAs, publicUrl ?? `http://${urlHost(host)}:${port}`)
  return {
    api: `${api}/v2`,
    mcp: under(calledAs, config.mcp.publicUrl ?? `http://${urlHost(host)}:${mcpPort}`),
    mcp_beside_api: `${api}/mcp`,
  }
}

/** Under every name of this machine that it may go by, with and without a trailing slash: clients write them all. */
export function spellingsOf(config: Config, resource: ProtectedResource): readonly string[] {
  const plain = [null, ...namesOfThisMachine].map((name) => resourceIdentifiers(config, name)[resource])
  return [...new Set(plain)].flatMap((each) => [each, `${each}/`])
}

export function findResource(config: Config, identifier: string): ProtectedResource | null {
  return protectedResources.find((resource) => spellingsOf(config, resource).includes(identifier)) ?? null
}

/** The issuer whose tokens are taken: this installation, unless another was named. */
export function authorizationServer(config: Config, calledAs: LoopbackName | null = null): string {
  const { host, port, publicUrl } = config.server
  return config.oauth.issuer ?? under(calledAs, publicUrl ?? `http://${urlHost(host)}:${port}`)
}

/** Nobody calls all addresses by their name: who listens on all is called on this machine's own. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** A public name stays what it is. */
function under(name: LoopbackName | null, url: string): string {
  const { hostname, host } = new URL(url)
  if (name === null || readLoopbackName(hostname) === null) return url
  return url.replace(`//${host}`, `//${host.replace(hostname, name)}`)
}
