/**
 * The MCP server for one caller. It is created for every request, because nothing is stored between two requests. To an
 * app without the scope to write, a tool that needs it is refused at the HTTP level, so that the client requests that
 * scope from its user, unless the user may not grant it. A key stays as it is: a read-only key sees only the tools that
 * read.
 */

import {
  fromJsonSchema,
  type McpRequestContext,
  type McpServer,
  type McpServerOptions,
  type ScopeChallengeHandler,
} from '@modelcontextprotocol/server'
import { membersOf } from '../../domain/values/json-value.ts'
import { allScopes } from '../../modules/oauth-apps/token-scopes.ts'
import { programVersion } from '../../platform/program-version.ts'
import { filterNames } from '../lists/list-filters.ts'
import { fenceRule } from '../presenters/fence.ts'
import { toListedSchema } from '../tool/schema.ts'
import { otherNames, tools, unlistedTools } from '../tools.ts'
import { makeInputSchema } from './check-input.ts'
import { readClientToken } from './client-token.ts'
import { findTools } from './find-tools.ts'
import type { McpCaller } from './mcp-caller.ts'
import { canAskForScope, isListed } from './offers.ts'
import { registerPrompts } from './prompts.ts'
import { type LegacyRequest, RequestServer } from './request-server.ts'
import { registerResources } from './resources.ts'
import { runTool } from './run-tool.ts'
import { journeyViewUri, showsViews, viewsExtension } from './views.ts'

export const serverInfo = { name: 'landfall', title: 'Landfall', version: programVersion } as const

const instructions = `Tracks ocean containers and shipments. For the morning, brief. Else search first; track_container also shows what is tracked already. null means unknown: never fill it in. An empty list is not "none" where its \`unknown\` counts some. Times are local at the place (RFC 9557). Estimates are estimates; say whose. Money: only what get_charges or get_container gives. ${fenceRule}`

const sameForAll = { cacheScope: 'public', ttlMs: 3_600_000 } as const

const filtersOf: Readonly<Record<string, readonly string[]>> = {
  list_shipments: filterNames.shipments,
  list_containers: filterNames.containers,
  list_tracking_requests: filterNames.requests,
}

/** Prepared once: to compile a schema costs more time than a call. */
const prepared = [...tools, findTools, ...unlistedTools].map((tool) => ({
  tool,
  isEverListed: !unlistedTools.includes(tool),
  inputSchema: makeInputSchema(tool, filtersOf[tool.name]),
  outputSchema: fromJsonSchema<unknown>(toListedSchema(tool.output, { withRows: 'fields' in tool.input.properties })),
}))

const options = {
  instructions,
  // The lists never change while the process runs. That of the tools depends on the credentials and on the address.
  capabilities: {
    tools: { listChanged: false },
    prompts: { listChanged: false },
    resources: { listChanged: false },
    completions: {},
    extensions: { [viewsExtension]: {} },
  },
  cacheHints: {
    'tools/list': { ...sameForAll, cacheScope: 'private' },
    'prompts/list': sameForAll,
    'resources/list': sameForAll,
    'resources/templates/list': sameForAll,
    'server/discover': sameForAll,
  },
  maxToolInputElements: 1_000,
  // A person answers, so the time-out is long. It is finite, because the stream of the call stays open meanwhile.
  inputRequired: { roundTimeoutMs: 300_000 },
} as const

/** In the 2025 protocol nothing is stored between two requests, so there is no way to notify a client. */
const watching = {
  ...options,
  capabilities: { ...options.capabilities, resources: { listChanged: false, subscribe: true } },
} as const

/** Additions of a server in tests. Production never passes any. */
export interface ServerExtension {
  readonly options: Pick<McpServerOptions, 'requestState'>
  readonly register: (server: McpServer, request: McpRequestContext) => void
}

export function makeServer(caller: McpCaller, request: McpRequestContext, extend?: ServerExtension): McpServer {
  const of = request.era === 'legacy' ? options : watching
  const { limit, kind } = caller.part
  const ofPart = {
    // A cache may not tell a part that a header names from the others.
    ...(kind === 'all' ? {} : { cacheHints: {} }),
    ...(limit === null ? {} : { instructions: `${instructions} Only one ${limit.kind} is shown here.` }),
  }
  const server = new RequestServer(
    serverInfo,
    { ...of, ...ofPart, ...extend?.options },
    readLegacyRequest(caller, request),
  )
  const needsWrite: ScopeChallengeHandler = () => (canAskForScope(caller) ? { scopes: allScopes } : undefined)
  const wanted = requestedItemsOf(caller.message)
  for (const { tool, isEverListed, inputSchema, outputSchema } of prepared) {
    const name = wanted.tool(tool.name)
    const isRead = tool.effect === 'read'
    if (name === null || !(wanted.isCall || (isEverListed && isListed(caller, tool)))) continue
    server.registerTool(
      name,
      {
        title: tool.title,
        description: tool.about,
        inputSchema,
        outputSchema,
        ...(tool.hasMap ? { _meta: { ui: { resourceUri: journeyViewUri } } } : {}),
        annotations: {
          readOnlyHint: isRead,
          ...(isRead ? {} : { destructiveHint: tool.isDestructive }),
          idempotentHint: tool.isIdempotent,
          openWorldHint: tool.isOpenWorld,
        },
        ...(isRead ? {} : { scopeChallenge: needsWrite }),
      },
      (input, prompt) =>
        runTool(tool, {
          caller,
          input,
          ask: prompt,
          era: request.era,
          canAskUser: server.server.getClientCapabilities()?.elicitation !== undefined,
          showsViews: showsViews(server.server.getClientCapabilities()),
        }),
    )
  }
  if (wanted.resources) registerResources(server, caller)
  // They complete numbers of all rows, and name tools that are not offered there.
  if (wanted.prompts && limit === null) registerPrompts(server, caller)
  extend?.register(server, request)
  return server
}

/** Null for a request of the 2026 protocol, which contains everything about its client. */
function readLegacyRequest(caller: McpCaller, { era, requestInfo }: McpRequestContext): LegacyRequest | null {
  if (era !== 'legacy') return null
  const token = caller.acceptsStream ? (requestInfo?.headers.get('mcp-session-id') ?? null) : null
  return { caller, introduction: token === null ? null : readClientToken(caller, token) }
}

interface RequestedItems {
  /** The name under which the tool is registered; null for a tool that is not. */
  readonly tool: (name: string) => string | null
  readonly isCall: boolean
  readonly resources: boolean
  readonly prompts: boolean
}

/**
 * The parts that the server needs for one message. To register everything takes longer than most tools run, so a call
 * registers only the tool that it names. Any other message gets everything.
 */
function requestedItemsOf(message: unknown): RequestedItems {
  const { method, params } = membersOf(message)
  const { name } = membersOf(params)
  if (method === 'tools/call') {
    const resolvedName = typeof name === 'string' ? (otherNames.get(name) ?? name) : null
    const called = (each: string): string | null => (each === resolvedName ? String(name) : null)
    return { tool: called, isCall: true, resources: false, prompts: false }
  }
  const isCall = false
  if (method === 'resources/read') return { tool: () => null, isCall, resources: true, prompts: false }
  if (method === 'prompts/get') return { tool: () => null, isCall, resources: false, prompts: true }
  return { tool: (each) => each, isCall, resources: true, prompts: true }
}
