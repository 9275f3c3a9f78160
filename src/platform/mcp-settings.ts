/**
 * The settings of the MCP server besides its port: its public name, which hosts and callers it accepts, and the names
 * of its resources.
 */

import { hostNames, type Setting, uriScheme, url } from './setting.ts'

export const mcpSettings = {
  publicUrl: url(
    'LANDFALL_MCP_PUBLIC_URL',
    'http://<host>:<MCP port>',
    'How agents reach the MCP server at its own origin; its name as an OAuth resource.',
  ),
  hosts: hostNames(
    'LANDFALL_MCP_HOSTS',
    'Further names that the MCP server may be called by; its own and those of this machine always may.',
  ),
  origins: hostNames(
    'LANDFALL_MCP_ORIGINS',
    'Hosts of web pages that may call the MCP server from a browser, besides its own.',
  ),
  uriScheme: uriScheme(
    'LANDFALL_MCP_URI_SCHEME',
    'landfall',
    'Scheme of the addresses of MCP resources, as in landfall://container/<id>.',
  ),
} as const satisfies Record<string, Setting<unknown>>
