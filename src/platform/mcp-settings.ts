/**
 * The settings of the MCP server besides its port: its public name, which hosts and callers it accepts, and the names
 * of its resources.
 */

import { hostNames, type Setting, uriScheme, url } from './setting.ts'

export const mcpSettings = {
  publicUrl: url(
    'LANDFALL_MCP_PUBLIC_URL',
    'http://<host>:<MCP port>',
    'The address at which agents reach the MCP server on its own port. It is also the name of the server as an OAuth resource.',
  ),
  hosts: hostNames(
    'LANDFALL_MCP_HOSTS',
    'Further host names of the MCP server. Its own name and the names of this machine are always accepted.',
  ),
  origins: hostNames(
    'LANDFALL_MCP_ORIGINS',
    'Hosts of web pages that may call the MCP server from a browser. Its own host always may.',
  ),
  uriScheme: uriScheme(
    'LANDFALL_MCP_URI_SCHEME',
    'landfall',
    'First part of the addresses of MCP resources, for example landfall in landfall://container/<id>.',
  ),
} as const satisfies Record<string, Setting<unknown>>
