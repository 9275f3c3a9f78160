// The one way out: every request to a webhook, a carrier or a document goes through here and can only reach what the
// address rules allow. Redirects are answers and never followed.
import { lookup as systemLookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { addressRules } from './addresses.ts'
import { openAgents } from './egress-agents.ts'
import { acceptedEncodings, type Body, readBody } from './egress-body.ts'
import { parseTarget } from './egress-target.ts'

export type EgressRequest = {
  readonly url: string
  readonly method?: (typeof methods)[number]
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** For all of it, looking up the name included. */
  readonly timeoutMs: number
  /** How much of the unpacked body is read. */
  readonly maxBytes: number
  /** Connections are kept for requests with the same tenant and for no others; without one, none is kept. */
  readonly tenant?: string
}

export const failureReasons = ['timeout', 'connect', 'dns', 'tls', 'reset', 'protocol', 'encoding'] as const
export type FailureReason = (typeof failureReasons)[number]

export type EgressResult =
  | {
      readonly kind: 'answer'
      readonly status: number
      /** Names in lower case; repeated ones joined by a comma. */
      readonly headers: Readonly<Record<string, string>>
      readonly body: Buffer
      readonly truncated: boolean
      readonly address: string
      readonly durationMs: number
    }
  /** Not sent; the reason is a sentence fit for the public. */
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'failed'
      readonly reason: FailureReason
      readonly message: string
      readonly durationMs: number
    }

export type Egress = {
  /** Never rejects: everything that can go wrong outside is a result. */
  readonly request: (request: EgressRequest) => Promise<EgressResult>
  /** Why the URL as written could never be reached, in a sentence fit for the public; null when only its name's address decides. */
  readonly findRefusal: (url: unknown) => string | null
  /** Ends the kept connections. */
  readonly close: () => void
}

export type ResolvedAddress = { readonly address: string; readonly family: 4 | 6 }

export type EgressOptions = {
  readonly allowedNetworks: readonly string[]
  readonly allowLoopback: boolean
  readonly connectTimeoutMs?: number
  /** Who answers for names; the system as a rule. */
  readonly resolver?: (host: string) => Promise<readonly ResolvedAddress[]>
  /** Certificates (PEM) to trust besides those that Node knows. */
  readonly ca?: string
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
// Those that steer the connection itself are set here and by nobody else.
const ownHeaders =
  /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|keep-alive|accept-encoding|proxy-.*)$/i

class Refusal extends Error {}
class LookupFailure extends Error {}

export function createEgress(options: EgressOptions): Egress {
  const rules = addressRules(options)
  const connectTimeoutMs = options.connectTimeoutMs ?? 5_000
  const resolve = options.resolver ?? askSystem
  const agents = openAgents(options.ca)

  // Called for names only, at connect time; address literals never come here and are judged in send.
  const lookup: LookupFunction = (host, { all }, done) => {
    resolve(host).then(
      (addresses) => {
        const first = addresses[0]
        if (first === undefined) return done(new LookupFailure('the name has no address'), [])
        if (addresses.some(({ address }) => rules.findRefusal(address) !== null)) {
          return done(new Refusal('The host of the URL is not at a public address.'), [])
        }
        return all === true ? done(null, [...addresses]) : done(null, first.address, first.family)
      },
      (error: unknown) => done(new LookupFailure(codeOf(error) ?? 'the name cannot be looked up'), []),
    )
  }

  function findRefusal(url: unknown): string | null {
    const target = parseTarget(url)
    if (target.kind === 'refused') return target.reason
    const isBarred = target.isAddress && rules.findRefusal(target.host) !== null
    return isBarred ? 'The host of the URL is not at a public address.' : null
  }

  async function send(request: EgressRequest): Promise<EgressResult> {
    const target = parseTarget(request.url)
    if (target.kind === 'refused') return target
    if (target.isAddress && rules.findRefusal(target.host) !== null) {
      return { kind: 'refused', reason: 'The host of the URL is not at a public address.' }
    }
    const method = request.method ?? 'GET'
    if (!methods.includes(method))
      return { kind: 'refused', reason: 'The method is not one of those allowed.' }
    const own = Object.keys(request.headers ?? {}).find((name) => ownHeaders.test(name))
    if (own !== undefined)
      return { kind: 'refused', reason: `The header ${own.toLowerCase()} may not be set.` }

    const startedAt = performance.now()
    const durationMs = () => Math.round(performance.now() - startedAt)
    const isSecure = target.url.protocol === 'https:'
    const body = request.body === undefined ? null : Buffer.from(request.body)
    const ending = new AbortController()
    let phase: 'connect' | 'answer' = 'connect'
    let isOnKeptConnection = false
    const connectTimer = setTimeout(() => ending.abort(), Math.min(connectTimeoutMs, request.timeoutMs))
    const timer = setTimeout(() => ending.abort(), request.timeoutMs)
    try {
      const { response, address } = await new Promise<{ response: IncomingMessage; address: string }>(
        (done, fail) => {
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
            agent: agents.find({ tenant: request.tenant ?? null, isSecure }),
            lookup,
            signal: ending.signal,
          })
          outgoing.on('error', fail)
          outgoing.once('socket', (socket) => {
            const connected = () => {
              phase = 'answer'
              clearTimeout(connectTimer)
            }
            isOnKeptConnection = outgoing.reusedSocket
            if (isOnKeptConnection) connected()
            else socket.once(isSecure ? 'secureConnect' : 'connect', connected)
          })
          outgoing.once('response', (response) =>
            done({ response, address: response.socket.remoteAddress ?? '' }),
          )
          outgoing.end(body)
        },
      )
      const read: Body = await readBody(response, request.maxBytes)
      if (read.kind === 'unreadable') {
        return { kind: 'failed', reason: 'encoding', message: read.message, durationMs: durationMs() }
      }
      return {
        kind: 'answer',
        status: response.statusCode ?? 0,
        headers: joinHeaders(response),
        body: read.bytes,
        truncated: read.isTruncated,
        address,
        durationMs: durationMs(),
      }
    } catch (error) {
      if (error instanceof Refusal) return { kind: 'refused', reason: error.message }
      if (ending.signal.aborted) {
        const message = phase === 'connect' ? 'no connection in time' : 'no complete answer in time'
        return { kind: 'failed', reason: 'timeout', message, durationMs: durationMs() }
      }
      if (codeOf(error)?.startsWith('ERR_INVALID') === true || codeOf(error) === 'ERR_UNESCAPED_CHARACTERS') {
        return { kind: 'refused', reason: 'A header or the path holds a character that it may not.' }
      }
      // The other side may end a kept connection just as it is used again; what may be repeated then gets a new one.
      if (isOnKeptConnection && codeOf(error) === 'ECONNRESET' && (method === 'GET' || method === 'HEAD')) {
        const { tenant: _, ...alone } = request
        return send({ ...alone, timeoutMs: request.timeoutMs - durationMs() })
      }
      return { kind: 'failed', ...classify(error, phase), durationMs: durationMs() }
    } finally {
      clearTimeout(connectTimer)
      clearTimeout(timer)
    }
  }

  return { request: send, findRefusal, close: agents.close }
}

async function askSystem(host: string): Promise<readonly ResolvedAddress[]> {
  const found = await systemLookup(host, { all: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/** The message names the fault by its code and holds no host, path or header. */
function classify(
  error: unknown,
  phase: 'connect' | 'answer',
): { readonly reason: FailureReason; readonly message: string } {
  if (error instanceof LookupFailure) return { reason: 'dns', message: error.message }
  const code = codeOf(error) ?? 'unknown'
  if (code.startsWith('HPE_')) return { reason: 'protocol', message: code }
  if (
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|EACCES|EINVAL|EHOSTDOWN)$/.test(code)
  ) {
    return { reason: 'connect', message: code }
  }
  if (
    /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO|INVALID_CA)/.test(code)
  ) {
    return { reason: 'tls', message: code }
  }
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ECONNABORTED') {
    return { reason: 'reset', message: phase === 'connect' ? `${code} while connecting` : code }
  }
  return { reason: phase === 'connect' ? 'connect' : 'protocol', message: code }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

function joinHeaders(response: IncomingMessage): Readonly<Record<string, string>> {
  const joined: Record<string, string> = Object.create(null)
  for (const [name, values] of Object.entries(response.headersDistinct))
    joined[name] = (values ?? []).join(', ')
  return joined
}
