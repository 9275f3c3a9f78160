/**
 * By which names the MCP server may be called, and from which pages: a web page whose name was bound anew to this machine
 * (DNS rebinding) is neither. Ports are not looked at.
 */

import type { Config } from '../../platform/config.ts'
import { resourceIdentifiers } from '../../service/people/oauth/protected-resources.ts'

const thisMachine = ['localhost', '127.0.0.1', '[::1]']

export function allowedHosts(config: Config): string[] {
  const { mcp, mcp_beside_api: beside } = resourceIdentifiers(config)
  const own = [mcp, beside].map((each) => new URL(each).hostname)
  return [...new Set([...own, ...thisMachine, ...config.mcp.hosts])]
}

export function allowedOrigins(config: Config): string[] {
  return [...allowedHosts(config), ...config.mcp.origins]
}
