/**
 * Finds who makes a request, by an API key, a publishable key from a page that may use it, an OAuth access token, or
 * the session of a person who uses the portal.
 */

import type { FastifyRequest } from 'fastify'
import type { Context } from '../../modules/access/context.ts'
import { authenticate } from '../../modules/api-keys/authenticate.ts'
import {
  authenticatePublishable,
  findPublishableKey,
  publishableOperations,
} from '../../modules/api-keys/authenticate-publishable.ts'
import type { Service } from '../../modules/service.ts'
import { contextOf, findSession } from '../../modules/sessions/find-session.ts'
import { isSameToken } from '../../modules/sessions/token.ts'
import { Problem } from '../errors/problem.ts'
import { readCookie } from '../http/cookies.ts'
import { originOf } from '../http/request-origin.ts'
import { isSameOrigin } from '../http/same-origin.ts'
import { findBearerToken, identifyBearer } from './bearer.ts'

export type Identity = Omit<Context, 'requestId'>

/**
 * The portal's own page sends this header with every request. It contains the token of the session, which no other site
 * can read or send.
 */
const sessionHeader = 'x-landfall-session'

/** Null for a key or session that is unknown, or no longer valid: the caller does not learn which. */
export async function identifyCaller(service: Service, request: FastifyRequest): Promise<Identity | null> {
  const header = request.headers.authorization
  const publishable = findPublishableKey(header)
  const token = findBearerToken(header)
  const found =
    publishable !== null
      ? await identifyByPublishableKey(service, request, publishable)
      : token !== null
        ? await identifyBearer(service, request, token)
        : header === undefined
          ? await identifyPerson(service, request)
          : await authenticate(service, header)
  return found === null ? null : { ...found, from: originOf(request) }
}

/** True for a request with a publishable key, valid or not. */
export function hasPublishableKey(request: FastifyRequest): boolean {
  return findPublishableKey(request.headers.authorization) !== null
}

/**
 * True for a request of a person's session. Call this only after the request was identified: a request without a key
 * was identified by its session.
 */
export function isSessionRequest(request: FastifyRequest): boolean {
  return request.headers.authorization === undefined
}

async function identifyByPublishableKey(
  service: Service,
  request: FastifyRequest,
  key: string,
): Promise<Identity | null> {
  const answer = await authenticatePublishable(service, { key, origin: request.headers.origin })
  if (answer.kind === 'unknown') return null
  if (answer.kind === 'elsewhere') {
    throw new Problem('forbidden', {
      detail: 'The origin of this page is not allowed for this publishable key. Use a key that lists it.',
    })
  }
  const { operationId } = request.routeOptions.schema ?? {}
  const inclusions = request.method === 'GET' ? publishableOperations[operationId ?? ''] : undefined
  if (inclusions === undefined || !includesOnly(request, inclusions)) {
    throw new Problem('forbidden', {
      detail: 'A publishable key can only read the one shipment or container that a page embeds.',
    })
  }
  return answer.identity
}

/** True when `include` names only these relationships and no other parameter requires more than the resource itself. */
function includesOnly({ query }: FastifyRequest, inclusions: readonly string[]): boolean {
  return Object.entries(query as Readonly<Record<string, unknown>>).every(([name, value]) => {
    if (name.startsWith('fields[') || name.startsWith('page[')) return true
    if (name !== 'include' || typeof value !== 'string') return false
    return value.split(',').every((path) => path.trim() === '' || inclusions.includes(path.trim()))
  })
}

/**
 * The cookie alone proves nothing, because a browser sends it with requests of other sites too. Only our own page can
 * send the header.
 */
async function identifyPerson(service: Service, request: FastifyRequest): Promise<Identity | null> {
  const given = request.headers[sessionHeader]
  const token = typeof given === 'string' ? readCookie(service, request, 'session') : null
  if (token === null || typeof given !== 'string' || !isSameOrigin(service, request)) return null
  const visitor = await findSession(service, token, originOf(request))
  if (visitor === null || visitor.current === null || !isSameToken(given, visitor.formToken)) return null
  const { requestId: _, ...identity } = contextOf(visitor, visitor.current, {
    requestId: request.id,
    from: originOf(request),
  })
  return identity
}
