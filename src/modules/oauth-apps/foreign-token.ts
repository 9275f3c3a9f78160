/**
 * Access tokens of another authorization server, as JWTs (RFC 9068). They are signed by a key that the server
 * publishes, are issued for the requested resource, and name the accounts that they open in one of their claims.
 */

import type { errors, FetchImplementation, JWTVerifyGetKey } from 'jose'
import { membersOf } from '../../domain/values/json-value.ts'
import { fetchThrough } from '../../platform/fetch-through.ts'
import type { Service } from '../service.ts'

export type ForeignToken =
  | {
      readonly kind: 'claims'
      readonly accountIds: readonly string[]
      readonly clientId: string
      readonly scope: string
    }
  | { readonly kind: 'invalid' }
  /** The issuer's keys cannot be read now. */
  | { readonly kind: 'unavailable' }

const algorithms = ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512', 'EdDSA', 'Ed25519']
/** Seconds until the issuer is queried again after it did not answer. Clients get this time in Retry-After. */
export const issuerRetryS = 5
const wellKnown = ['oauth-authorization-server', 'openid-configuration'] as const
/** After this time the addresses of the keys are read again. */
const discoveredMs = 3_600_000

/** `keys` is null when the issuer did not state where its keys are. */
const memories = new WeakMap<Service, { readonly keys: JWTVerifyGetKey | null; readonly untilMs: number }>()
/** Callers that come while one lookup runs wait for the same lookup. */
const lookings = new WeakMap<Service, Promise<JWTVerifyGetKey | null>>()

export async function readForeignToken(
  service: Service,
  { token, audience }: { readonly token: string; readonly audience: readonly string[] },
): Promise<ForeignToken> {
  const { issuer, accountClaim } = service.config.oauth
  if (issuer === null) throw new Error('no other authorization server is set')
  if (token.split('.').length !== 3) return { kind: 'invalid' }
  const keys = await findKeys(service, issuer)
  if (keys === null) return { kind: 'unavailable' }
  const { errors, jwtVerify } = await import('jose')
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: [issuer, `${issuer}/`],
      audience: [...audience],
      algorithms,
      // RFC 9068, 4: a token that is no access token, such as an ID token of the same issuer, gives no access.
      typ: 'at+jwt',
      requiredClaims: ['exp', 'iat', 'sub', 'client_id', 'jti'],
      clockTolerance: 15,
      currentDate: new Date(service.clock.now()),
    })
    const { scope, client_id: clientId, sub, jti } = payload
    if (!isText(clientId) || !isText(sub) || !isText(jti)) return { kind: 'invalid' }
    return {
      kind: 'claims',
      accountIds: [payload[accountClaim]].flat().filter((id) => typeof id === 'string'),
      clientId,
      scope: typeof scope === 'string' ? scope : '',
    }
  } catch (error) {
    if (error instanceof errors.JOSEError && !isKeySetError(error)) return { kind: 'invalid' }
    service.log.warn('oauth.issuer_failed', { error })
    return { kind: 'unavailable' }
  }
}

function isText(claim: unknown): claim is string {
  return typeof claim === 'string' && claim !== ''
}

/** The key set could not be fetched or read. Every other fault is a fault of the token. */
function isKeySetError({ code }: errors.JOSEError): boolean {
  return ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'].includes(code)
}

async function findKeys(service: Service, issuer: string): Promise<JWTVerifyGetKey | null> {
  const known = memories.get(service)
  if (known !== undefined && service.clock.now() < known.untilMs) return known.keys
  const pendingKeys = lookings.get(service) ?? fetchIssuerKeys(service, issuer)
  lookings.set(service, pendingKeys)
  try {
    return await pendingKeys
  } finally {
    lookings.delete(service)
  }
}

/** While the issuer does not answer, the keys known before are used, and the issuer is not queried for each request. */
async function fetchIssuerKeys(service: Service, issuer: string): Promise<JWTVerifyGetKey | null> {
  const jwksUrl = await discoverJwksUrl(service, issuer)
  const nowMs = service.clock.now()
  if (jwksUrl === null) {
    const keys = memories.get(service)?.keys ?? null
    memories.set(service, { keys, untilMs: nowMs + issuerRetryS * 1_000 })
    return keys
  }
  const { createRemoteJWKSet, customFetch } = await import('jose')
  const keys = createRemoteJWKSet(jwksUrl, {
    [customFetch]: ((url, options) => fetchThrough(service.egress, url, options)) satisfies FetchImplementation,
  })
  memories.set(service, { keys, untilMs: nowMs + discoveredMs })
  return keys
}

/** Where the issuer publishes its keys (RFC 8414, else OpenID Connect discovery); null when it does not state this. */
async function discoverJwksUrl({ egress, log }: Service, issuer: string): Promise<URL | null> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname === '/' ? '' : pathname
  const urls = [
    ...wellKnown.map((name) => `${origin}/.well-known/${name}${path}`),
    ...(path === '' ? [] : [`${issuer}/.well-known/openid-configuration`]),
  ]
  for (const url of urls) {
    const answer = await egress.request({ url, timeoutMs: 5_000, maxBytes: 262_144 })
    if (answer.kind !== 'answer' || answer.status !== 200) {
      log.debug('oauth.issuer_failed', { url, outcome: answer.kind })
      continue
    }
    const jwksUri = readJwksUri(answer.body.toString('utf8'), issuer)
    if (jwksUri !== null) return jwksUri
  }
  return null
}

/** Reads only a document that names this very issuer (RFC 8414, 3.3). */
function readJwksUri(text: string, issuer: string): URL | null {
  try {
    const { issuer: named, jwks_uri: uri } = membersOf(JSON.parse(text))
    const isIts = named === issuer || named === `${issuer}/`
    return isIts && typeof uri === 'string' ? new URL(uri) : null
  } catch {
    return null
  }
}
