/**
 * The other server by which people sign in (OpenID Connect, authorization code with PKCE). The protocol is that of
 * `openid-client`; every request goes through the guarded egress.
 */

import type { Configuration } from 'openid-client'
import { fetchThrough } from '../../platform/fetch-through.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { deriveToken } from './token.ts'

const scope = 'openid email profile'
/** Loaded with the first sign-in of this kind, and not at the start of the server. */
const loadProtocol = () => import('openid-client')
/** After this time the provider is queried again for its addresses and keys. */
const knownMs = 3_600_000

interface CachedProvider {
  readonly provider: Promise<Configuration>
  readonly untilMs: number
}
const memory = new WeakMap<Service, CachedProvider>()

/** Null when no other server is set up. */
async function providerOf(service: Service): Promise<Configuration | null> {
  const { issuer, clientId } = service.config.signIn
  if (issuer === null || clientId === null) return null
  const known = memory.get(service)
  const nowMs = service.clock.now()
  if (known !== undefined && nowMs < known.untilMs) return known.provider
  const provider = discoverProvider(service, { issuer, clientId })
  memory.set(service, { provider, untilMs: nowMs + knownMs })
  // A provider that could not be reached is queried again the next time.
  provider.catch(() => memory.delete(service))
  return provider
}

async function discoverProvider(
  { config, egress }: Service,
  { issuer, clientId }: { readonly issuer: string; readonly clientId: string },
): Promise<Configuration> {
  const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await loadProtocol()
  const url = new URL(issuer)
  const execute = url.protocol === 'http:' ? [allowInsecureRequests] : []
  const provider = await discovery(url, clientId, config.signIn.clientSecret ?? undefined, undefined, {
    execute,
    [customFetch]: (address: string, options: Parameters<typeof fetchThrough>[2]) =>
      fetchThrough(egress, address, options),
  })
  // The signature of the ID token is checked too, and not only the connection that it came by.
  enableNonRepudiationChecks(provider)
  return provider
}

export function hasProvider({ config }: Pick<Service, 'config'>): boolean {
  return config.signIn.issuer !== null && config.signIn.clientId !== null
}

/** Where the browser goes. `state`: stored by the browser alone; the proof of the way back follows from it. */
export async function getAuthorizationUrl(
  service: Service,
  { state, redirectUri }: { readonly state: string; readonly redirectUri: string },
): Promise<URL> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await loadProtocol()
  const provider = await reachProvider(service)
  return buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri,
    scope,
    state,
    nonce: nonceOf(service, state),
    code_challenge: await calculatePKCECodeChallenge(verifierOf(service, state)),
    code_challenge_method: 'S256',
  })
}

/** What the provider states about the person. */
export interface Claims {
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  readonly isEmailVerified: boolean
  readonly name: string | null
}

/** Null when what came back is not the answer to this sign-in: cancelled, altered, used before, or too late. */
export async function claimsFrom(
  service: Service,
  { state, address }: { readonly state: string; readonly address: URL },
): Promise<Claims | null> {
  const { authorizationCodeGrant } = await loadProtocol()
  const provider = await reachProvider(service)
  try {
    const tokens = await authorizationCodeGrant(provider, address, {
      pkceCodeVerifier: verifierOf(service, state),
      expectedState: state,
      expectedNonce: nonceOf(service, state),
      idTokenExpected: true,
    })
    const idTokenClaims = tokens.claims()
    if (idTokenClaims === undefined) return null
    if (idTokenClaims.sub.trim() === '') throw new Error('the id token has an empty subject')
    const more =
      idTokenClaims['email'] === undefined ? await userInfo(provider, tokens.access_token, idTokenClaims.sub) : {}
    const all: Readonly<Record<string, unknown>> = { ...more, ...idTokenClaims }
    const text = (name: string): string | null => (typeof all[name] === 'string' ? all[name] : null)
    return {
      issuer: idTokenClaims.iss,
      subject: idTokenClaims.sub,
      email: text('email'),
      isEmailVerified: all['email_verified'] === true,
      name: text('name'),
    }
  } catch (error) {
    service.log.info('sign_in.elsewhere_refused', {
      reason: error instanceof Error ? error.message : String(error),
    })
    return null
  }
}

async function userInfo(provider: Configuration, token: string, subject: string): Promise<object> {
  if (provider.serverMetadata().userinfo_endpoint === undefined) return {}
  const { fetchUserInfo } = await loadProtocol()
  return fetchUserInfo(provider, token, subject)
}

async function reachProvider(service: Service): Promise<Configuration> {
  const provider = await providerOf(service).catch((error: unknown) => {
    service.log.warn('sign_in.elsewhere_away', {
      reason: error instanceof Error ? error.message : String(error),
    })
    throw new ServiceError('unavailable', 'The sign-in server does not answer. Try again in a minute.')
  })
  if (provider === null) throw new ServiceError('not_found', 'Sign-in with another server is switched off here.')
  return provider
}

function nonceOf(service: Service, state: string): string {
  return deriveToken(service, 'elsewhere_nonce', state)
}

function verifierOf(service: Service, state: string): string {
  return deriveToken(service, 'elsewhere_verifier', state)
}
