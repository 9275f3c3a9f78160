/**
 * The MCP server as one caller sees it: made anew for every request, for nothing is kept between two. What it lists is the
 * same for all; what needs the scope to write is refused at the HTTP level, so that clients ask their user for it.
 */

import {
  fromJsonSchema,
  type McpRequestContext,
  type McpServer,
  type McpServerOptions,
  type ScopeChallengeHandler,
} from '@modelcontextprotocol/server'
import { membersOf } from '../../core/json-value.ts'
import { allScopes } from '../../service/people/oauth/token-scopes.ts'
import { checkedInput } from './check-input.ts'
import { readClientToken } from './client-token.ts'
import { fenceRule } from './fence.ts'
import { filterNames } from './list-filters.ts'
import type { McpCaller } from './mcp-caller.ts'
import { registerPrompts } from './prompts.ts'
import { type Of2025, RequestServer } from './request-server.ts'
import { registerResources } from './resources.ts'
import { runTool } from './run-tool.ts'
import { listed } from './schema.ts'
import { tools } from './tools.ts'

export const serverInfo = { name: 'landfall', title: 'Landfall', version: '0.2.0' } as const

const instructions = `Tracks ocean containers and shipments. Search first; track_container also shows what is tracked already. null means unknown: never fill it in. An empty list is not "none" where its \`unknown\` counts some. Times are local at the place (RFC 9557). Estimates are estimates; say whose. There are no demurrage rates here: state none. ${fenceRule}`

const sameForAll = { cacheScope: 'public', ttlMs: 3_600_000 } as const

const filtersOf: Readonly<Record<string, readonly string[]>> = {
  list_shipments: filterNames.shipments,
  list_containers: filterNames.containers,
  list_tracking_requests: filterNames.requests,
}

/** Compiled once: compiling costs more than a call. */
const prepared = tools.map((tool) => ({
  tool,
  inputSchema: checkedInput(tool, filtersOf[tool.name]),
  outputSchema: fromJsonSchema<unknown>(listed(tool.output)),
}))

const options = {
  instructions,
  // The lists never change while the process runs.
  capabilities: {
    tools: { listChanged: false },
    prompts: { listChanged: false },
    resources: { listChanged: false },
    completions: {},
  },
  cacheHints: {
    'tools/list': sameForAll,
    'prompts/list': sameForAll,
    'resources/list': sameForAll,
    'resources/templates/list': sameForAll,
    'server/discover': sameForAll,
  },
  maxToolInputElements: 1_000,
  // A person answers, but not for ever: the stream of the call is held open meanwhile.
  inputRequired: { roundTimeoutMs: 300_000 },
} as const

/** What a test server has besides: never in production, where nobody passes it. */
export interface Extension {
  readonly options: Pick<McpServerOptions, 'requestState'>
  readonly register: (server: McpServer, request: McpRequestContext) => void
}

export function makeServer(caller: McpCaller, request: McpRequestContext, extend?: Extension): McpServer {
  const server = new RequestServer(serverInfo, { ...options, ...extend?.options }, of2025(caller, request))
  const mayWrite = caller.context.scopes.includes('write')
  const needsWrite: ScopeChallengeHandler = () => (mayWrite ? undefined : { scopes: allScopes })
  const wanted = wantedBy(caller.message)
  for (const { tool, inputSchema, outputSchema } of prepared) {
    if (!wanted.tool(tool.name)) continue
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
  if (wanted.resources) registerResources(server, caller)
  if (wanted.prompts) registerPrompts(server, caller)
  extend?.register(server, request)
  return server
}

/** Null for a request of the 2026 protocol, which says all of itself. */
function of2025(caller: McpCaller, { era, requestInfo }: McpRequestContext): Of2025 | null {
  if (era !== 'legacy') return null
  const token = requestInfo?.headers.get('mcp-session-id') ?? null
  return { caller, introduction: token === null ? null : readClientToken(caller, token) }
}

interface Wanted {
  readonly tool: (name: string) => boolean
  readonly resources: boolean
  readonly prompts: boolean
}

/**
 * What the server has to have for one message: registering all takes longer than most tools do, so a call gets the tool
 * that it names. Whatever is not plainly about one of them gets everything.
 */
function wantedBy(message: unknown): Wanted {
  const { method, params } = membersOf(message)
  const { name } = membersOf(params)
  if (method === 'tools/call') return { tool: (each) => each === name, resources: false, prompts: false }
  if (method === 'resources/read') return { tool: () => false, resources: true, prompts: false }
  if (method === 'prompts/get') return { tool: () => false, resources: false, prompts: true }
  return { tool: () => true, resources: true, prompts: true }
}
