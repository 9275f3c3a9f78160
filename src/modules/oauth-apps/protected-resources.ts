/**
 * What an access token may be issued for (RFC 8707), by its identifier: the REST API, the MCP server at its own origin,
 * and the MCP server beside the API; and which server issues such tokens. A token for the API does not work at the MCP
 * servers, and their tokens do not work at the API.
 */

import type { Config } from '../../platform/config.ts'

export const protectedResources = ['api', 'mcp', 'mcp_beside_api'] as const
export type ProtectedResource = (typeof protectedResources)[number]

/** The names of this machine. People write one, programs are configured with another. */
const namesOfThisMachine = ['127.0.0.1', 'localhost', '[::1]'] as const
export type LoopbackName = (typeof namesOfThisMachine)[number]

/** The name of this machine that a request named as its host, with or without a port; null for every other host. */
export function readLoopbackName(host: string | null | undefined): LoopbackName | null {
  const name = (host ?? '').replace(/:\d*$/, '').toLowerCase()
  return namesOfThisMachine.find((each) => each === name) ?? null
}

/**
 * The identifier of each resource, written without a trailing slash. `calledAs`: clients compare the identifier with
 * the address that they were given. So a server whose name is a name of this machine uses the one in the request.
 */
export function resourceIdentifiers(
  config: Config,
  calledAs: LoopbackName | null = null,
): Readonly<Record<ProtectedResource, string>> {
  const { host, port, mcpPort, publicUrl } = config.server
  const api = withLoopbackName(calledAs, publicUrl ?? `http://${urlHost(host)}:${port}`)
  return {
    api: `${api}/v2`,
    mcp: withLoopbackName(calledAs, config.mcp.publicUrl ?? `http://${urlHost(host)}:${mcpPort}`),
    mcp_beside_api: `${api}/mcp`,
  }
}

/**
 * The identifier under every name that this machine may have, with and without a trailing slash, because clients use
 * all of them.
 */
export function listIdentifierSpellings(config: Config, resource: ProtectedResource): readonly string[] {
  const plain = [null, ...namesOfThisMachine].map((name) => resourceIdentifiers(config, name)[resource])
  return [...new Set(plain)].flatMap((each) => [each, `${each}/`])
}

/**
 * What a token is for whose agent named no resource, as agents older than RFC 8707 do: the MCP server at both of its
 * addresses.
 */
export const unnamedMcp = 'urn:landfall:mcp'

export function findResource(config: Config, identifier: string): ProtectedResource | null {
  if (identifier === unnamedMcp) return 'mcp'
  return protectedResources.find((resource) => listIdentifierSpellings(config, resource).includes(identifier)) ?? null
}

/** The issuer whose tokens are accepted: this installation, unless the settings name another. */
export function authorizationServer(config: Config, calledAs: LoopbackName | null = null): string {
  const { host, port, publicUrl } = config.server
  return config.oauth.issuer ?? withLoopbackName(calledAs, publicUrl ?? `http://${urlHost(host)}:${port}`)
}

/** No client can call "all addresses": a server that listens on all is called by this machine's own address. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** Replaces only a name of this machine; a public name stays. */
function withLoopbackName(name: LoopbackName | null, url: string): string {
  const { hostname, host } = new URL(url)
  if (name === null || readLoopbackName(hostname) === null) return url
  return url.replace(`//${host}`, `//${host.replace(hostname, name)}`)
}

/** All spellings of the resource that the indicator names; the indicator alone when it names none. */
export function allSpellings(config: Config, indicator: string): readonly string[] {
  if (indicator === unnamedMcp)
    return [indicator, ...listIdentifierSpellings(config, 'mcp'), ...listIdentifierSpellings(config, 'mcp_beside_api')]
  const resource = findResource(config, indicator)
  return resource === null ? [indicator] : listIdentifierSpellings(config, resource)
}
