/**
 * Access tokens of another authorization server, as JWTs (RFC 9068): signed by a key that it publishes, meant for the very
 * thing that is asked, and naming the accounts that they reach in one of their claims.
 */

import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { membersOf } from '../../../core/json-value.ts'
import type { Service } from '../../service.ts'
import { fetchThrough } from './fetch-through.ts'

export type ForeignToken =
  | {
      readonly kind: 'claims'
      readonly accountIds: readonly string[]
      readonly clientId: string
      readonly scope: string
    }
  | { readonly kind: 'invalid' }
  /** The issuer's keys cannot be had. */
  | { readonly kind: 'unavailable' }

const algorithms = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
  'EdDSA',
  'Ed25519',
]
/** While it is away; clients are told to come again then. */
export const issuerRetryS = 5
const wellKnown = ['oauth-authorization-server', 'openid-configuration'] as const
/** The addresses of the keys are asked for again after this. */
const discoveredMs = 3_600_000

/** `keys` null: it did not say where they are. */
const memories = new WeakMap<Service, { readonly keys: JWTVerifyGetKey | null; readonly untilMs: number }>()
/** Who comes while one looks waits for the same look. */
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
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: [issuer, `${issuer}/`],
      audience: [...audience],
      algorithms,
      // RFC 9068, 4: what is no access token, such as an ID token of the same issuer, opens nothing.
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
    if (error instanceof errors.JOSEError && !isAboutKeys(error)) return { kind: 'invalid' }
    service.log.warn('oauth.issuer_failed', { error })
    return { kind: 'unavailable' }
  }
}

function isText(claim: unknown): claim is string {
  return typeof claim === 'string' && claim !== ''
}

/** The key set could not be had or read; every other fault is one of the token. */
function isAboutKeys(error: errors.JOSEError): boolean {
  return (
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    error.code === 'ERR_JOSE_GENERIC'
  )
}

async function findKeys(service: Service, issuer: string): Promise<JWTVerifyGetKey | null> {
  const known = memories.get(service)
  if (known !== undefined && service.clock.now() < known.untilMs) return known.keys
  const looking = lookings.get(service) ?? lookUp(service, issuer)
  lookings.set(service, looking)
  try {
    return await looking
  } finally {
    lookings.delete(service)
  }
}

/** While it does not answer, what is known goes on, and it is not asked anew for each request that comes meanwhile. */
async function lookUp(service: Service, issuer: string): Promise<JWTVerifyGetKey | null> {
  const jwksUrl = await discover(service, issuer)
  const nowMs = service.clock.now()
  if (jwksUrl === null) {
    const keys = memories.get(service)?.keys ?? null
    memories.set(service, { keys, untilMs: nowMs + issuerRetryS * 1_000 })
    return keys
  }
  const keys = createRemoteJWKSet(jwksUrl, {
    [customFetch]: (url, options) => fetchThrough(service.egress, url, options),
  })
  memories.set(service, { keys, untilMs: nowMs + discoveredMs })
  return keys
}

/** Where the issuer publishes its keys (RFC 8414, else OpenID Connect discovery); null when it does not say. */
async function discover({ egress, log }: Service, issuer: string): Promise<URL | null> {
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

/** Only of a document that names this very issuer (RFC 8414, 3.3). */
function readJwksUri(text: string, issuer: string): URL | null {
  try {
    const { issuer: named, jwks_uri: uri } = membersOf(JSON.parse(text))
    const isIts = named === issuer || named === `${issuer}/`
    return isIts && typeof uri === 'string' ? new URL(uri) : null
  } catch {
    return null
  }
}
