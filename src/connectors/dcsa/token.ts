/**
 * OAuth 2 client credentials: a token is requested once, shared by all callers, and stored until shortly before it
 * expires.
 */

import { createHash, createPrivateKey, randomUUID, sign, X509Certificate } from 'node:crypto'
import { membersOf } from '../../domain/values/json-value.ts'
import type { FetchContext } from '../source.ts'
import type { DcsaProfile } from './profile.ts'

export type OAuth = NonNullable<DcsaProfile['auth']['oauth']>
export type Secrets = Readonly<Record<string, string>>

export type TokenResult =
  | { readonly kind: 'token'; readonly token: string }
  | {
      readonly kind: 'none'
      readonly statusCode: number | null
      readonly retryAfterMs: number | null
      readonly detail: string
    }

/** A token is not used in its last minute; if it lives less than ten minutes, not in its last tenth. */
const marginMsMax = 60_000
/** RFC 6749 only recommends that the server gives the lifetime; without one, a token is used for this short time. */
const unstatedLifeMs = 300_000
const tokensMax = 1_000

interface CachedToken {
  readonly result: Promise<TokenResult>
  /** Infinity while the token is being requested. */
  usableUntil: number
}

export class TokenKeeper {
  readonly #kept = new Map<string, CachedToken>()

  /** The token for this access; a new one is requested when none is valid. */
  find(oauth: OAuth, secrets: Secrets, context: FetchContext & { readonly timeoutMs: number }): Promise<TokenResult> {
    const name = tokenKeyOf(oauth, secrets)
    const cached = this.#kept.get(name)
    if (cached !== undefined && context.now() < cached.usableUntil) return cached.result
    const response = requestToken(oauth, secrets, context)
    const entry: CachedToken = {
      result: response.then(({ result }) => result),
      usableUntil: Number.POSITIVE_INFINITY,
    }
    if (this.#kept.size >= tokensMax) this.#kept.clear()
    this.#kept.set(name, entry)
    response.then(({ result, livesMs }) => {
      const margin = Math.min(marginMsMax, livesMs / 10)
      entry.usableUntil = result.kind === 'token' ? context.now() + livesMs - margin : 0
    })
    return entry.result
  }

  /** The line refused this token: the next `find` requests another, unless that has already happened. */
  async forget(oauth: OAuth, secrets: Secrets, token: string): Promise<void> {
    const name = tokenKeyOf(oauth, secrets)
    const cached = this.#kept.get(name)
    if (cached === undefined || cached.usableUntil === Number.POSITIVE_INFINITY) return
    const result = await cached.result
    if (result.kind === 'token' && result.token === token && this.#kept.get(name) === cached) this.#kept.delete(name)
  }
}

function tokenKeyOf(oauth: OAuth, secrets: Secrets): string {
  return createHash('sha256')
    .update(JSON.stringify([oauth, Object.entries(secrets).sort()]))
    .digest('hex')
}

interface TokenResponse {
  readonly result: TokenResult
  readonly livesMs: number
}

async function requestToken(
  oauth: OAuth,
  secrets: Secrets,
  context: FetchContext & { readonly timeoutMs: number },
): Promise<TokenResponse> {
  const none = (detail: string, statusCode: number | null = null): TokenResponse => ({
    result: { kind: 'none', statusCode, retryAfterMs: null, detail },
    livesMs: 0,
  })
  const proof = proveClient(oauth, secrets, context.now())
  if (proof === null) return none('the key or certificate cannot be used to sign')
  const isJson = oauth.client === 'json'
  const scope = oauth.scope === null ? {} : { scope: oauth.scope }
  // A server that wants JSON does not follow the standard: `fields` has the other members that it needs.
  const grant = isJson ? {} : { grant_type: 'client_credentials' }
  const fields = { ...grant, ...proof.fields, ...scope, ...oauth.fields }
  const keys = Object.entries(oauth.keyHeaders).map(([header, secret]) => [header, secrets[secret] ?? ''])
  const answer = await context.egress.request({
    url: oauth.tokenUrl,
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
      ...proof.headers,
      ...Object.fromEntries(keys),
    },
    body: isJson ? JSON.stringify(fields) : new URLSearchParams(fields).toString(),
    timeoutMs: context.timeoutMs,
    maxBytes: 100_000,
  })
  // The text of the answer is never quoted: token servers repeat what was sent to them.
  if (answer.kind === 'refused') return none(`the request for a token was not sent: ${answer.reason}`)
  if (answer.kind === 'failed')
    return none(`the token server could not be reached (${answer.reason}: ${answer.message})`)
  if (answer.status !== 200) return none(`the token server answered ${answer.status}`, answer.status)
  const granted = parseTokenResponse(answer.body, oauth.tokenMember ?? 'access_token')
  if (granted === null) return none('the token server gave no token', answer.status)
  return { result: { kind: 'token', token: granted.token }, livesMs: granted.livesMs }
}

function parseTokenResponse(body: Buffer, member: string): { readonly token: string; readonly livesMs: number } | null {
  let grant: unknown
  try {
    grant = JSON.parse(body.toString('utf8'))
  } catch {
    // Not JSON, so no token: the caller reports it.
    return null
  }
  const { [member]: token, expires_in: seconds } = membersOf(grant)
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) return null
  const livesMs = Number(seconds) * 1_000
  return { token, livesMs: livesMs > 0 && Number.isFinite(livesMs) ? livesMs : unstatedLifeMs }
}

interface ClientAuthentication {
  readonly headers: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, string>>
}

function proveClient(oauth: OAuth, secrets: Secrets, nowMs: number): ClientAuthentication | null {
  const { clientId = '', clientSecret = '' } = secrets
  if (oauth.client === 'form') {
    return { headers: {}, fields: { client_id: clientId, client_secret: clientSecret } }
  }
  if (oauth.client === 'json') {
    const { clientId: id, clientSecret: secret } = oauth.names ?? {
      clientId: 'client_id',
      clientSecret: 'client_secret',
    }
    return { headers: {}, fields: { [id]: clientId, [secret]: clientSecret } }
  }
  if (oauth.client === 'basic') {
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`
    return { headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, fields: {} }
  }
  const assertion = signAssertion(oauth.tokenUrl, secrets, nowMs)
  if (assertion === null) return null
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  return {
    headers: {},
    fields: { client_id: clientId, client_assertion_type: type, client_assertion: assertion },
  }
}

/** RFC 7523, section 3, with the certificate's SHA-1 thumbprint (`x5t`), by which Azure AD finds the certificate. */
function signAssertion(audience: string, secrets: Secrets, nowMs: number): string | null {
  const { clientId = '', privateKey = '', certificate = '' } = secrets
  const nowS = Math.floor(nowMs / 1_000)
  try {
    const x5t = createHash('sha1').update(new X509Certificate(certificate).raw).digest('base64url')
    const head = { alg: 'RS256', typ: 'JWT', x5t }
    const claims = {
      aud: audience,
      iss: clientId,
      sub: clientId,
      jti: randomUUID(),
      nbf: nowS - 60,
      exp: nowS + 540,
    }
    const unsigned = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    const signature = sign('sha256', Buffer.from(unsigned), createPrivateKey(privateKey))
    return `${unsigned}.${signature.toString('base64url')}`
  } catch {
    // The key or certificate is invalid; its text must not get into a message.
    return null
  }
}

/** The operator's own certificate for sources that demand one (mutual TLS). */
export type ClientCertificate =
  | { readonly kind: 'usable'; readonly certificate: string; readonly privateKey: string }
  | { readonly kind: 'unusable'; readonly detail: string }

/** The texts of certificate and key must never get into a message. */
export function readClientCertificate(
  { certificate = '', privateKey = '' }: Secrets,
  nowMs: number,
): ClientCertificate {
  try {
    const { validToDate, validFromDate } = new X509Certificate(certificate)
    if (validToDate.getTime() < nowMs)
      return {
        kind: 'unusable',
        detail: `the client certificate expired on ${validToDate.toISOString().slice(0, 10)}`,
      }
    if (validFromDate.getTime() > nowMs)
      return {
        kind: 'unusable',
        detail: `the client certificate is not valid before ${validFromDate.toISOString().slice(0, 10)}`,
      }
    return { kind: 'usable', certificate, privateKey }
  } catch {
    // Not a PEM certificate: reported without its text.
    return { kind: 'unusable', detail: 'the client certificate cannot be read' }
  }
}
