/** What the library does not do by itself, around its answers: scopes, slashes, agents in browsers, limits and outages. */

import type Provider from 'oidc-provider'
import type { Config } from '../../platform/config.ts'
import { ServiceError } from '../../service/errors.ts'
import { findResource, spellingsOf } from '../../service/people/oauth/protected-resources.ts'
import { allScopes, offlineScope } from '../../service/people/oauth/token-scopes.ts'
import { type Tried, tryOnce } from '../../service/people/sessions/attempts.ts'
import type { Service } from '../../service/service.ts'
import { prefersHtml } from '../api/media-type.ts'
import { isOutage } from '../api/outage.ts'
import { html } from '../portal/html.ts'
import { pageHeaders, writePage } from '../portal/page.ts'

/** Of the library's context, what is looked at here. */
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

export function addManners(provider: Provider, service: Service): void {
  // The address of a request is set by whoever hands it over, never by the client: to-issuer.ts.
  provider.proxy = true
  provider.use((ctx, next) => pageForNothing(ctx, next))
  provider.use((ctx, next) => withoutIdentity(ctx, next))
  provider.use((ctx, next) => limitRegistration(service, ctx, next))
  tolerateSpellings(provider, service.config)
  provider.on('server_error', (ctx, error) => {
    if (isOutage(error)) {
      ctx.status = 503
      ctx.set('retry-after', '5')
      service.log.warn('database.unreachable', { error })
    } else service.metrics.requestCrashed({ route: 'oauth', error })
  })
  // What passes the library by; Koa would print it.
  const koa: NodeJS.EventEmitter = provider
  koa.on('error', (error: unknown) => service.metrics.requestCrashed({ route: 'oauth', error }))
}

/** A person who has opened an address at which nothing is can read that. */
async function pageForNothing(ctx: Exchange, next: Next): Promise<void> {
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
 * Who names no scope of a resource asks for the least one (OAuth 2.1, 1.4.1). The library brings OpenID Connect along,
 * which is neither promised nor given here: an app learns nothing of who its person is.
 */
async function withoutIdentity(ctx: Exchange, next: Next): Promise<void> {
  const { scope } = ctx.query
  if (ctx.path === '/oauth/authorize' && !Array.isArray(scope)) {
    const words = String(scope ?? '')
      .split(' ')
      .filter((word) => word !== '' && word !== 'openid')
    const asked = words.some(isTokenScope) ? words : [...words, allScopes[0]]
    ctx.query = { ...ctx.query, scope: asked.join(' ') }
  }
  await next()
  if (ctx.path.startsWith('/.well-known/') && typeof ctx.body === 'object' && ctx.body !== null)
    ctx.body = { ...ctx.body, scopes_supported: [offlineScope, ...allScopes] }
}

function isTokenScope(word: string): boolean {
  return allScopes.some((known) => known === word)
}

/** A resource that was named in one way may be named in another at the next step: with a slash at its end, or without. */
function tolerateSpellings({ BaseToken }: Provider, config: Config): void {
  Object.defineProperty(BaseToken.prototype, 'resourceIndicators', {
    get(this: { readonly resource?: string | readonly string[] }): Set<string> {
      return new Set([this.resource ?? []].flat().flatMap((each) => allSpellings(config, each)))
    },
  })
}

export function allSpellings(config: Config, indicator: string): readonly string[] {
  const resource = findResource(config, indicator)
  return resource === null ? [indicator] : spellingsOf(config, resource)
}

/** Agents in a browser register too; the library has headers for them everywhere but there. */
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
  const refusal = await findRefusal(service, { kind: 'client_registration', of: ctx.ip })
  if (refusal === null) return next()
  ctx.status = 429
  ctx.set({ 'retry-after': String(refusal.retryAfterSeconds ?? 60) })
  ctx.body = { error: 'temporarily_unavailable', error_description: refusal.detail }
}

/** Null while it may still be tried. */
export async function findRefusal(service: Service, tried: Tried): Promise<ServiceError | null> {
  try {
    await tryOnce(service, tried)
    return null
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'rate_limited') return error
    throw error
  }
}
