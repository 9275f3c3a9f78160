// The only way for requests to the outside. Every request to a webhook, a carrier or a document goes through here and
// can only reach addresses that the rules allow. Redirects are returned as answers and never followed.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type AddressRules, addressRules, isThisMachine } from './addresses.ts'
import { type ClientCertificate, isUsableCertificate, openAgents } from './egress-agents.ts'
import { acceptedEncodings, type Body, readBody } from './egress-body.ts'
import {
  AddressRefusedError,
  classifyFailure,
  codeOf,
  type FailureReason,
  guardLookup,
  type ResolvedAddress,
  resolveBySystem,
} from './egress-lookup.ts'
import { openSockets, type Sockets } from './egress-sockets.ts'
import { parseTarget } from './egress-target.ts'
import { isConnectionHeader } from './header-names.ts'

export type EgressRequest = {
  readonly url: string
  readonly method?: (typeof methods)[number]
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** For the whole request, including the resolution of the name. */
  readonly timeoutMs: number
  /** Maximum bytes of the unpacked body that are read. */
  readonly maxBytes: number
  /**
   * Set when the status is enough: an answer whose body cannot be unpacked still counts as an answer, without a body.
   */
  readonly isBodyExtra?: true
  /** A connection is reused only for requests with the same tenant. Without a tenant no connection is reused. */
  readonly tenant?: string
  /** Our certificate and key, both PEM, for a server that demands them (mutual TLS). The connection is not reused. */
  readonly clientCertificate?: ClientCertificate
  /** Set when a stranger named the address: this machine is then never reached, even where the rules allow it. */
  readonly neverLoopback?: true
}

export type EgressResult =
  | {
      readonly kind: 'answer'
      readonly status: number
      /** Names in lower case. The values of a repeated header are joined with commas. */
      readonly headers: Readonly<Record<string, string>>
      readonly body: Buffer
      /** Why the body could not be read. Only set when the request has `isBodyExtra`. */
      readonly bodyFault?: string
      readonly truncated: boolean
      readonly address: string
      readonly durationMs: number
    }
  /** Nothing was sent. The reason is a sentence that may be shown to the public. */
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'failed'
      readonly reason: FailureReason
      readonly message: string
      readonly durationMs: number
    }

export type Egress = Sockets & {
  /** Never rejects: every fault of the outside is a result. */
  readonly request: (request: EgressRequest) => Promise<EgressResult>
  /**
   * Why the URL can never be reached, in a sentence that may be shown to the public. Null when it may be reached, as
   * far as is known before the name is resolved.
   */
  readonly findRefusal: (url: unknown) => string | null
  /** Ends the idle connections. */
  readonly close: () => void
}

export type EgressOptions = {
  readonly allowedNetworks: readonly string[]
  readonly allowLoopback: boolean
  /** If given, the only places (`host:port`) that may be reached. Their addresses must be allowed as well. */
  readonly only?: readonly string[]
  readonly connectTimeoutMs?: number
  /** Resolves names. Default: the system. */
  readonly resolver?: (host: string) => Promise<readonly ResolvedAddress[]>
  /** Certificates (PEM) to trust in addition to those that Node knows. */
  readonly ca?: string
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export function createEgress(options: EgressOptions): Egress {
  const rules = addressRules(options)
  const connectTimeoutMs = options.connectTimeoutMs ?? 5_000
  const resolve = options.resolver ?? resolveBySystem
  const agents = openAgents(options.ca)

  const elsewhere: AddressRules = {
    findRefusal: (address) => (isThisMachine(address) ? 'this machine' : rules.findRefusal(address)),
  }
  const lookup = guardLookup(rules, resolve)
  const lookupElsewhere = guardLookup(elsewhere, resolve)
  const sockets = openSockets({ rules, lookup, connectTimeoutMs, ca: options.ca, only: options.only })

  function findRefusal(url: unknown): string | null {
    const target = parseTarget(url, options.only)
    if (target.kind === 'refused') return target.reason
    const isBarred = target.isAddress && rules.findRefusal(target.host) !== null
    return isBarred ? 'The host of the URL is not at a public address.' : null
  }

  async function send(request: EgressRequest): Promise<EgressResult> {
    const target = parseTarget(request.url, options.only)
    if (target.kind === 'refused') return target
    const isFar = request.neverLoopback === true
    if (target.isAddress && (isFar ? elsewhere : rules).findRefusal(target.host) !== null) {
      return { kind: 'refused', reason: 'The host of the URL is not at a public address.' }
    }
    const client = request.clientCertificate ?? null
    if (client !== null && !isUsableCertificate(client))
      return { kind: 'refused', reason: 'The client certificate and its key cannot be used.' }
    const method = request.method ?? 'GET'
    if (!methods.includes(method)) return { kind: 'refused', reason: 'The method is not one of those allowed.' }
    const connectionHeader = Object.keys(request.headers ?? {}).find(isConnectionHeader)
    if (connectionHeader !== undefined)
      return { kind: 'refused', reason: `The header ${connectionHeader.toLowerCase()} may not be set.` }

    const startedAt = performance.now()
    const durationMs = () => Math.round(performance.now() - startedAt)
    const isSecure = target.url.protocol === 'https:'
    const body = request.body === undefined ? null : Buffer.from(request.body)
    const ending = new AbortController()
    let phase: 'connect' | 'answer' = 'connect'
    let isOnReusedConnection = false
    const connectTimer = setTimeout(() => ending.abort(), Math.min(connectTimeoutMs, request.timeoutMs))
    const timer = setTimeout(() => ending.abort(), request.timeoutMs)
    try {
      const { response, address } = await new Promise<{ response: IncomingMessage; address: string }>((done, fail) => {
        const outgoing = (isSecure ? httpsRequest : httpRequest)({
          method,
          hostname: target.host,
          port: target.url.port === '' ? (isSecure ? 443 : 80) : Number(target.url.port),
          path: target.url.pathname + target.url.search,
          headers: {
            ...request.headers,
            'accept-encoding': acceptedEncodings,
            ...(body === null ? {} : { 'content-length': body.length }),
          },
          agent: agents.find({ tenant: request.tenant ?? null, isSecure, client }),
          lookup: isFar ? lookupElsewhere : lookup,
          signal: ending.signal,
        })
        outgoing.on('error', fail)
        outgoing.once('socket', (socket) => {
          const connected = () => {
            phase = 'answer'
            clearTimeout(connectTimer)
          }
          isOnReusedConnection = outgoing.reusedSocket
          if (isOnReusedConnection) connected()
          else socket.once(isSecure ? 'secureConnect' : 'connect', connected)
        })
        outgoing.once('response', (response) => done({ response, address: response.socket.remoteAddress ?? '' }))
        outgoing.end(body)
      })
      const read: Body = await readBody(response, request.maxBytes)
      const isUnreadable = read.kind === 'unreadable'
      if (isUnreadable && request.isBodyExtra !== true) {
        return { kind: 'failed', reason: 'encoding', message: read.message, durationMs: durationMs() }
      }
      return {
        kind: 'answer',
        status: response.statusCode ?? 0,
        headers: joinHeaders(response),
        body: isUnreadable ? Buffer.alloc(0) : read.bytes,
        ...(isUnreadable && { bodyFault: read.message }),
        truncated: !isUnreadable && read.isTruncated,
        address,
        durationMs: durationMs(),
      }
    } catch (error) {
      if (error instanceof AddressRefusedError) return { kind: 'refused', reason: error.message }
      if (ending.signal.aborted) {
        const message = phase === 'connect' ? 'no connection in time' : 'no complete answer in time'
        return { kind: 'failed', reason: 'timeout', message, durationMs: durationMs() }
      }
      if (codeOf(error)?.startsWith('ERR_INVALID') === true || codeOf(error) === 'ERR_UNESCAPED_CHARACTERS') {
        return { kind: 'refused', reason: 'A header or the path contains a character that is not allowed.' }
      }
      // The other side may end an idle connection at the moment when it is reused. GET and HEAD can be repeated safely,
      // so they are sent once more on a new connection.
      if (isOnReusedConnection && codeOf(error) === 'ECONNRESET' && (method === 'GET' || method === 'HEAD')) {
        const { tenant: _, ...alone } = request
        return send({ ...alone, timeoutMs: request.timeoutMs - durationMs() })
      }
      return { kind: 'failed', ...classifyFailure(error, phase), durationMs: durationMs() }
    } finally {
      clearTimeout(connectTimer)
      clearTimeout(timer)
    }
  }

  return { request: send, findRefusal, close: agents.close, ...sockets }
}

function joinHeaders(response: IncomingMessage): Readonly<Record<string, string>> {
  const joined: Record<string, string> = Object.create(null)
  for (const [name, values] of Object.entries(response.headersDistinct)) joined[name] = (values ?? []).join(', ')
  return joined
}
