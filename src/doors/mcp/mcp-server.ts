/**
 * The MCP server as one caller sees it: made anew for every request, for nothing is kept between two. What it lists is the
 * same for all; what needs the scope to write is refused at the HTTP level, so that clients ask their user for it.
 */

import {
  fromJsonSchema,
  type McpRequestContext,
  McpServer,
  type ScopeChallengeHandler,
} from '@modelcontextprotocol/server'
import { fenceRule } from './fence.ts'
import type { McpCaller } from './mcp-caller.ts'
import { registerPrompts } from './prompts.ts'
import { registerResources } from './resources.ts'
import { runTool } from './run-tool.ts'
import { listed } from './schema.ts'
import { allScopes } from './token-scopes.ts'
import { tools } from './tools.ts'

export const serverInfo = { name: 'landfall', title: 'Landfall', version: '0.2.0' } as const

const instructions = `Tracks ocean containers and shipments. Search first; track_container also shows what is tracked already. null means unknown: never fill it in. Times are local at the place (RFC 9557). Estimates are estimates; say whose. There are no demurrage rates here: state none. ${fenceRule}`

const sameForAll = { cacheScope: 'public', ttlMs: 3_600_000 } as const

/** Compiled once: compiling costs more than a call. */
const prepared = tools.map((tool) => ({
  tool,
  inputSchema: fromJsonSchema<unknown>({ ...tool.input }),
  outputSchema: fromJsonSchema<unknown>({ ...listed(tool.output) }),
}))

/** What a test server has besides: never in production, where nobody passes it. */
export type Extension = (server: McpServer, request: McpRequestContext) => void

export function makeServer(caller: McpCaller, request: McpRequestContext, extend?: Extension): McpServer {
  const server = new McpServer(serverInfo, {
    instructions,
    capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
    cacheHints: {
      'tools/list': sameForAll,
      'prompts/list': sameForAll,
      'resources/list': sameForAll,
      'resources/templates/list': sameForAll,
      'server/discover': sameForAll,
    },
    maxToolInputElements: 1_000,
  })
  const mayWrite = caller.context.scopes.includes('write')
  const needsWrite: ScopeChallengeHandler = () => (mayWrite ? undefined : { scopes: allScopes })
  for (const { tool, inputSchema, outputSchema } of prepared) {
    const isRead = tool.effect === 'read'
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.about,
        inputSchema,
        outputSchema,
        annotations: { readOnlyHint: isRead, ...(isRead ? {} : { destructiveHint: tool.isDestructive }) },
        ...(isRead ? {} : { scopeChallenge: needsWrite }),
      },
      (input, ask) =>
        runTool(tool, {
          caller,
          input,
          ask,
          canAskUser: server.server.getClientCapabilities()?.elicitation !== undefined,
        }),
    )
  }
  registerResources(server, caller)
  registerPrompts(server, caller)
  extend?.(server, request)
  return server
}
