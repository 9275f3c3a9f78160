/**
 * One MCP endpoint over HTTP. First come the checks of host, origin and method, then the credentials, then the rate
 * limit, then the SDK, which serves both versions of the protocol at one address. Nothing is stored between two
 * requests.
 */

import {
  type AuthInfo,
  createMcpHandler,
  hostHeaderValidationResponse,
  isInitializeRequest,
  isJSONRPCResponse,
  isJsonContentType,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import { membersOf } from '../../domain/values/json-value.ts'
import type { Context } from '../../modules/access/context.ts'
import { refusalOf } from '../../modules/errors.ts'
import type { VerifyBearer } from '../../modules/oauth-apps/authenticate-bearer.ts'
import type { LoopbackName, ProtectedResource } from '../../modules/oauth-apps/protected-resources.ts'
import { allScopes, tokenScopes } from '../../modules/oauth-apps/token-scopes.ts'
import type { Service } from '../../modules/service.ts'
import { acquireQuotaSlot } from '../../modules/usage/acquire-quota-slot.ts'
import { hasSubject, runWithin } from '../lists/row-limit.ts'
import { acceptAnswer } from '../server/client-questions.ts'
import { type ClientIntroduction, writeClientToken } from '../server/client-token.ts'
import { currentCaller, type McpCaller, runAsCaller } from '../server/mcp-caller.ts'
import { makeServer, type ServerExtension } from '../server/mcp-server.ts'
import { onlyReads, partHeader, readServerPart, type ServerPart } from '../server/server-part.ts'
import { allowedHosts, allowedOrigins } from './allowed-hosts.ts'
import { authorize, isStillAllowed, type Sender } from './authorize.ts'
import { jsonRpcError, withoutNullId } from './json-rpc-error.ts'
import { metadataUrl } from './resource-metadata.ts'
import { watchResources } from './watched-resources.ts'

/** Maximum streams of one process for clients that wait for changes of the lists. */
const subscriptionsMax = 200

export interface EndpointOptions {
  readonly resource: ProtectedResource
  readonly verifyBearer: VerifyBearer
  readonly extend?: ServerExtension | undefined
  readonly bodyBytesMax: number
}

/**
 * What the request itself does not contain: who sends it, and the loopback name by which the server was called (null
 * for any other name).
 */
export type RequestOrigin = Omit<Sender, 'authorization' | 'accountId'> & {
  readonly calledAs: LoopbackName | null
  /** What follows `/mcp/` in the address. */
  readonly path: string
}

export interface Endpoint {
  readonly answer: (request: Request, sender: RequestOrigin) => Promise<Response>
  readonly close: () => Promise<void>
}

export function openEndpoint(service: Service, options: EndpointOptions): Endpoint {
  const hosts = allowedHosts(service.config)
  const origins = allowedOrigins(service.config)
  const handler = createMcpHandler((request) => makeServer(currentCaller(), request, options.extend), {
    maxRequestBodySize: options.bodyBytesMax,
    maxSubscriptions: subscriptionsMax,
    onerror: (error) => service.log.debug('mcp.failed', { error }),
  })
  const watched = watchResources(service, handler.bus)
  const serve = async (request: Request, sender: RequestOrigin): Promise<Response> => {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204 })
    if (request.method !== 'POST') return jsonRpcError(405, 'Only POST is served here.', { allow: 'POST' })
    const requestSender = {
      ...sender,
      authorization: request.headers.get('authorization'),
      accountId: request.headers.get('x-account-id') || null,
    }
    const part = readPart(sender.path, request.headers.get(partHeader))
    if (part instanceof Response) return part
    const scopes = onlyReads(part) ? [tokenScopes.read] : allScopes
    const access = { service, ...options, calledAs: sender.calledAs, scopes }
    const identity = await authorize(access, requestSender)
    if (identity instanceof Response) return identity
    const from = { ip: sender.address, userAgent: request.headers.get('user-agent') }
    const context: Context = { ...identity, requestId: sender.requestId, from }
    await acquireQuotaSlot(service, context, { bucket: 'default' })
    const { limit } = part
    if (limit !== null && !(await hasSubject({ service, context }, limit)))
      return jsonRpcError(404, `There is no ${limit.kind} with the id in the address.`)
    const acceptsStream = readAccept(request.headers)
    const message = await readMessage(request)
    const caller: McpCaller = { service, context, message, acceptsStream, part }
    if (isJSONRPCResponse(message) && acceptAnswer(message, caller)) return new Response(null, { status: 202 })
    const isAllowed = () => isStillAllowed(access, requestSender, context.account.id)
    const watching = await runWithin(limit, () => watched.begin(context, message, isAllowed))
    const answered = await runAsCaller(caller, () =>
      handler.fetch(request, {
        authInfo: writeAuthInfo(context, metadataUrl(service.config, options.resource, sender.calledAs)),
        ...(message === undefined ? {} : { parsedBody: message }),
      }),
    )
    const isStream = acceptsStream || membersOf(message)['method'] === 'subscriptions/listen'
    const followed = watching === null ? answered : watching(answered)
    const response = isStream ? followed : await withoutStream(followed)
    return isInitializeRequest(message) ? addSessionToken(caller, message.params, response) : response
  }
  return {
    answer: async (request, sender) => {
      const refused = hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, origins)
      if (refused !== undefined) return withoutNullId(refused)
      const response = await serve(request, sender).catch((error: unknown) => errorResponse(service, sender, error))
      return addResponseHeaders(await withoutNullId(response), request.headers.get('origin'))
    },
    close: async () => {
      await handler.close()
      await watched.close()
    },
  }
}

/** The header is for clients whose address is fixed. */
function readPart(path: string, header: string | null): ServerPart | Response {
  const part = readServerPart(path)
  if (part === null) return jsonRpcError(404, 'There is nothing at this address.')
  if (header === null) return part
  const named = readServerPart(header)
  if (named === null)
    return jsonRpcError(400, 'X-Landfall-Mcp is `read`, `core`, `customers/{id}` or `shipments/{id}`.')
  const isSame = JSON.stringify(part) === JSON.stringify(named)
  return isSame || part.kind === 'all'
    ? named
    : jsonRpcError(400, 'The address and X-Landfall-Mcp name different parts.')
}

/**
 * Whether the client accepts a stream. A client that accepts JSON only, or anything, or sends no header is served as
 * well: the SDK, which requires both types, reads that both are accepted.
 */
function readAccept(headers: Headers): boolean {
  const accept = headers.get('accept') ?? '*/*'
  if (/(\*|application)\/(\*|json)/i.test(accept)) headers.set('accept', 'application/json, text/event-stream')
  return /text\/event-stream/i.test(accept)
}

/** The answer that a stream ends with, as JSON. */
async function withoutStream(response: Response): Promise<Response> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return response
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'))
  const answers = lines.map((line): unknown => JSON.parse(line.slice(6))).filter(isJSONRPCResponse)
  const headers = new Headers(response.headers)
  headers.set('content-type', 'application/json')
  const body = JSON.stringify(answers.length === 1 ? answers[0] : answers)
  return new Response(body, { status: response.status, headers })
}

/** Undefined when it cannot be read. The SDK then answers what is wrong with it. */
async function readMessage(request: Request): Promise<unknown> {
  if (!isJsonContentType(request.headers.get('content-type'))) return undefined
  const text = await request.clone().text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function addSessionToken(caller: McpCaller, introduction: ClientIntroduction, response: Response): Response {
  const token = response.ok ? writeClientToken(caller, introduction) : null
  if (token === null) return response
  const headers = new Headers(response.headers)
  headers.set('mcp-session-id', token)
  return new Response(response.body, { status: response.status, headers })
}

/** Gives the SDK only what it needs for its scope challenges. It never gets the token. */
function writeAuthInfo({ actor, account, scopes }: Context, resourceMetadataUrl: string): AuthInfo {
  return {
    token: '',
    clientId: actor.kind === 'system' ? account.id : actor.id,
    scopes: scopes.flatMap((scope) => (scope === 'admin' ? [] : [tokenScopes[scope]])),
    resourceMetadataUrl,
  }
}

function errorResponse(service: Service, { requestId }: { readonly requestId: string }, error: unknown): Response {
  const refusal = refusalOf(error)
  if (refusal?.code === 'rate_limited') {
    const seconds = refusal.retryAfterSeconds ?? 60
    return jsonRpcError(429, `${refusal.detail} Try again in ${seconds} seconds.`, {
      'retry-after': String(seconds),
    })
  }
  if (refusal?.code === 'invalid' || refusal?.code === 'not_found') return jsonRpcError(400, refusal.detail)
  // No scope would help, so the answer names none.
  if (refusal?.code === 'forbidden') return jsonRpcError(403, refusal.detail)
  if (refusal?.code === 'unavailable' || refusal?.code === 'took_too_long') return jsonRpcError(503, refusal.detail)
  service.metrics.requestCrashed({ route: 'mcp', requestId, error })
  return jsonRpcError(500, 'Something went wrong on our side.')
}

const corsHeaders = {
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers':
    'Content-Type, Accept, Authorization, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID, X-Account-Id, X-Landfall-Mcp',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After, Mcp-Session-Id',
  'access-control-max-age': '600',
} as const

/** The origin was checked before, so it may be allowed here. */
function addResponseHeaders(response: Response, origin: string | null): Response {
  const headers = new Headers(response.headers)
  headers.set('x-content-type-options', 'nosniff')
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  headers.append('vary', 'Origin')
  if (origin !== null) {
    headers.set('access-control-allow-origin', origin)
    for (const [name, value] of Object.entries(corsHeaders)) headers.set(name, value)
  }
  return new Response(response.body, { status: response.status, headers })
}
