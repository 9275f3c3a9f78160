/**
 * The host names by which the MCP server may be called, and the pages that may call it. This excludes web pages whose
 * name was pointed to this machine (DNS rebinding). Ports are ignored.
 */

import { resourceIdentifiers } from '../../modules/oauth-apps/protected-resources.ts'
import type { Config } from '../../platform/config.ts'

const thisMachine = ['localhost', '127.0.0.1', '[::1]']

export function allowedHosts(config: Config): string[] {
  const { mcp, mcp_beside_api: beside } = resourceIdentifiers(config)
  const ownHosts = [mcp, beside].map((each) => new URL(each).hostname)
  return [...new Set([...ownHosts, ...thisMachine, ...config.mcp.hosts])]
}

export function allowedOrigins(config: Config): string[] {
  return [...allowedHosts(config), ...config.mcp.origins]
}
