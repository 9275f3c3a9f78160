/** Addresses of MCP resources: `landfall://container/<id>`, under the scheme that the operator chose. */

import type { Config } from '../../platform/config.ts'

export function resourceUri(
  config: Config,
  kind: 'container' | 'shipment' | 'snapshot' | 'docs',
  name: string,
): string {
  return `${config.mcp.uriScheme}://${kind}/${name}`
}
