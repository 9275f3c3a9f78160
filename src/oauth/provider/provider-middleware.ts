/** Additions around the answers of the library: scopes, slashes, agents in browsers, limits and outages. */

import Provider from 'oidc-provider'
import { isOutage } from '../../api/errors/outage.ts'
import { html } from '../../api/http/html.ts'
import { prefersHtml } from '../../api/http/media-type.ts'
import { ServiceError } from '../../modules/errors.ts'
import { getNextRefreshToken } from '../../modules/oauth-apps/oauth-entries.ts'
import { allSpellings } from '../../modules/oauth-apps/protected-resources.ts'
import { allScopes } from '../../modules/oauth-apps/token-scopes.ts'
import type { Service } from '../../modules/service.ts'
import { type AttemptTarget, useAttempt } from '../../modules/sessions/attempts.ts'
import type { Config } from '../../platform/config.ts'
import { pageHeaders, writePage } from '../../portal-server/page-parts/page.ts'
import { clientScopes } from './client-rules.ts'

/** The parts of the library's context that are used here. */
interface Exchange {
  readonly path: string
  readonly method: string
  readonly ip: string
  query: Record<string, unknown>
  status: number
  body: unknown
  readonly get: (header: string) => string
  readonly set: (headers: Record<string, string>) => void
}
type Next = () => Promise<void>

export function addProviderMiddleware(provider: Provider, service: Service): void {
  // The library trusts the forwarding headers, because to-issuer.ts sets all of them. No client can.
  provider.proxy = true
  provider.use((ctx, next) => showNotFoundPage(ctx, next))
  provider.use((ctx, next) => useOwnScopes(ctx, next))
  provider.use((ctx, next) => limitRegistration(service, ctx, next))
  tolerateSpellings(provider, service.config)
  giveOneSuccessor(provider, service)
  provider.on('server_error', (ctx, error) => {
    if (isOutage(error)) {
      ctx.status = 503
      ctx.set('retry-after', '5')
      service.log.warn('database.unreachable', { error })
    } else service.metrics.requestCrashed({ route: 'oauth', error })
  })
  // Errors that the library itself does not report. Without a listener, Koa would print them.
  const koa: NodeJS.EventEmitter = provider
  koa.on('error', (error: unknown) => service.metrics.requestCrashed({ route: 'oauth', error }))
}

/** Shows a person a readable page when there is nothing at an address. */
async function showNotFoundPage(ctx: Exchange, next: Next): Promise<void> {
  await next()
  if (ctx.status !== 404 || (ctx.body ?? null) !== null || !prefersHtml(ctx.get('accept'))) return
  const page = writePage({
    title: 'Not Found',
    visitor: null,
    body: html`<section class="gate"><h2>Not Found</h2><p>There is nothing at this address.</p>
<p><a href="/">To the first page</a></p></section>`,
  })
  ctx.status = 404
  ctx.set(pageHeaders())
  ctx.body = page.text
}

/**
 * A request without a scope of ours gets the smallest one (OAuth 2.1, 1.4.1). The library includes OpenID Connect,
 * which Landfall neither announces nor offers: an app learns nothing about its person.
 */
async function useOwnScopes(ctx: Exchange, next: Next): Promise<void> {
  const { scope } = ctx.query
  if (ctx.path === '/oauth/authorize' && !Array.isArray(scope)) {
    const scopeNames = String(scope ?? '')
      .split(' ')
      .filter((scopeName) => scopeName !== '' && scopeName !== 'openid')
    const requestedScopes = scopeNames.some(isTokenScope) ? scopeNames : [...scopeNames, allScopes[0]]
    ctx.query = { ...ctx.query, scope: requestedScopes.join(' ') }
  }
  await next()
  if (ctx.path.startsWith('/.well-known/') && typeof ctx.body === 'object' && ctx.body !== null)
    ctx.body = { ...ctx.body, scopes_supported: clientScopes }
}

function isTokenScope(scopeName: string): boolean {
  return allScopes.some((known) => known === scopeName)
}

/** A resource may be named with a slash at its end in one step, and without it in the next. */
function tolerateSpellings({ BaseToken }: Provider, config: Config): void {
  Object.defineProperty(BaseToken.prototype, 'resourceIndicators', {
    get(this: { readonly resource?: string | readonly string[] }): Set<string> {
      return new Set([this.resource ?? []].flat().flatMap((each) => allSpellings(config, each)))
    },
  })
}

/** Whoever uses a refresh token again in time gets the successor that the first use got. */
function giveOneSuccessor({ RefreshToken }: Provider, service: Service): void {
  const { save } = RefreshToken.prototype
  RefreshToken.prototype.save = async function (...ttl) {
    const used = Provider.ctx?.oidc.entities.RotatedRefreshToken
    if (used !== undefined) this.jti = await getNextRefreshToken(service, used.jti)
    return save.apply(this, ttl)
  }
}

/** Agents in a browser register too. The library sets CORS headers everywhere except for the registration. */
async function limitRegistration(service: Service, ctx: Exchange, next: Next): Promise<void> {
  if (ctx.path !== '/oauth/register') return next()
  ctx.set({ 'access-control-allow-origin': '*' })
  if (ctx.method === 'OPTIONS') {
    ctx.set({
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type, accept, mcp-protocol-version',
      'access-control-max-age': '3600',
    })
    ctx.status = 204
    return
  }
  const refusal = await findRateLimitRefusal(service, { kind: 'client_registration', of: ctx.ip })
  if (refusal === null) return next()
  ctx.status = 429
  ctx.set({ 'retry-after': String(refusal.retryAfterSeconds ?? 60) })
  ctx.body = { error: 'temporarily_unavailable', error_description: refusal.detail }
}

/** Null while another try is allowed. */
export async function findRateLimitRefusal(service: Service, tried: AttemptTarget): Promise<ServiceError | null> {
  try {
    await useAttempt(service, tried)
    return null
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'rate_limited') return error
    throw error
  }
}
