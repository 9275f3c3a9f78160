/**
 * The few cookies of the portal. They are for this host only, scripts cannot read them, and they are never sent with
 * forms of other sites.
 */

import type { FastifyRequest } from 'fastify'
import type { Service } from '../../modules/service.ts'
import type { Exchange } from './exchange.ts'

/**
 * `session`: who is signed in. `challenge`: a sign-in that still needs a code. `visit`: forms before the sign-in.
 * `device`: this browser has signed in before. `elsewhere`: it has gone to another server to sign in.
 */
export const cookieNames = ['session', 'challenge', 'visit', 'device', 'elsewhere'] as const
export type CookieName = (typeof cookieNames)[number]

/** Null when the cookie is missing or cannot be one of ours. */
export function readCookie(service: Service, request: FastifyRequest, name: CookieName): string | null {
  const wanted = wireName(name, isSecure(service, request))
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() !== wanted) continue
    const value = pair.slice(at + 1).trim()
    return /^[\w.-]{1,200}$/.test(value) ? value : null
  }
  return null
}

/** A `value` of null deletes the cookie. Without `maxAgeS` it ends with the browser session. */
export function setCookie(
  service: Service,
  { request, reply }: Exchange,
  cookie: { readonly name: CookieName; readonly value: string | null; readonly maxAgeS?: number },
): void {
  const secure = isSecure(service, request)
  const maxAgeS = cookie.value === null ? 0 : cookie.maxAgeS
  const parts = [
    `${wireName(cookie.name, secure)}=${cookie.value ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
    ...(maxAgeS === undefined ? [] : [`Max-Age=${Math.trunc(maxAgeS)}`]),
  ]
  reply.header('set-cookie', parts.join('; '))
}

/**
 * With the prefix `__Host-`, no other host of the domain and no page without TLS can set the cookie (RFC 6265bis,
 * 4.1.3.2).
 */
function wireName(name: CookieName, secure: boolean): string {
  return `${secure ? '__Host-' : ''}landfall_${name}`
}

function isSecure({ config }: Service, request: FastifyRequest): boolean {
  return request.protocol === 'https' || config.server.publicUrl?.startsWith('https:') === true
}
