/**
 * Whose request it is, by whatever it brings: an API key, a publishable key from a page that may use it, an access token
 * of OAuth, or the session of a person who looks at the portal.
 */

import type { FastifyRequest } from 'fastify'
import type { Context } from '../../service/context.ts'
import { authenticate } from '../../service/people/access/authenticate.ts'
import {
  authenticatePublishable,
  findPublishableKey,
  publishableOperations,
} from '../../service/people/access/authenticate-publishable.ts'
import { contextOf, findSession } from '../../service/people/sessions/find-session.ts'
import { isSameToken } from '../../service/people/sessions/token.ts'
import type { Service } from '../../service/service.ts'
import { readCookie } from '../portal/cookies.ts'
import { isOurOwnPage } from '../portal/same-origin.ts'
import { originOf } from '../portal/visitor.ts'
import { findBearerToken, identifyBearer } from './bearer.ts'
import { Problem } from './problem.ts'

export type Identity = Omit<Context, 'requestId'>

/** Sent by the portal's own page with every question: the token of its session, which no other site can read or send. */
const sessionHeader = 'x-landfall-session'

/** Null for a key or a session that is none (any more): the caller cannot tell which. */
export async function identify(service: Service, request: FastifyRequest): Promise<Identity | null> {
  const header = request.headers.authorization
  const publishable = findPublishableKey(header)
  const token = findBearerToken(header)
  const found =
    publishable !== null
      ? await identifyPage(service, request, publishable)
      : token !== null
        ? await identifyBearer(service, request, token)
        : header === undefined
          ? await identifyPerson(service, request)
          : await authenticate(service, header)
  return found === null ? null : { ...found, from: originOf(request) }
}

/** True for a request with a publishable key, whatever the key is worth. */
export function isEmbedded(request: FastifyRequest): boolean {
  return findPublishableKey(request.headers.authorization) !== null
}

/** True for a request of a person's session: it is known, and has brought no key. */
export function isOfPerson(request: FastifyRequest): boolean {
  return request.headers.authorization === undefined
}

async function identifyPage(
  service: Service,
  request: FastifyRequest,
  key: string,
): Promise<Identity | null> {
  const answer = await authenticatePublishable(service, { key, origin: request.headers.origin })
  if (answer.kind === 'unknown') return null
  if (answer.kind === 'elsewhere') {
    throw new Problem('forbidden', {
      detail: 'This publishable key may not be used from here: it names the origins that may.',
    })
  }
  const { operationId } = request.routeOptions.schema ?? {}
  const inclusions = request.method === 'GET' ? publishableOperations[operationId ?? ''] : undefined
  if (inclusions === undefined || !asksOnlyFor(request, inclusions)) {
    throw new Problem('forbidden', {
      detail:
        'A publishable key shows one shipment or container that is embedded in a page, and nothing else.',
    })
  }
  return answer.identity
}

/** `include` names these relationships alone, and no other parameter asks for more than the resource itself. */
function asksOnlyFor({ query }: FastifyRequest, inclusions: readonly string[]): boolean {
  return Object.entries(query as Readonly<Record<string, unknown>>).every(([name, value]) => {
    if (name.startsWith('fields[') || name.startsWith('page[')) return true
    if (name !== 'include' || typeof value !== 'string') return false
    return value.split(',').every((path) => path.trim() === '' || inclusions.includes(path.trim()))
  })
}

/** A cookie alone is worth nothing here: it comes with requests of other sites too, the header does not. */
async function identifyPerson(service: Service, request: FastifyRequest): Promise<Identity | null> {
  const given = request.headers[sessionHeader]
  const token = typeof given === 'string' ? readCookie(service, request, 'session') : null
  if (token === null || typeof given !== 'string' || !isOurOwnPage(service, request)) return null
  const visitor = await findSession(service, token, originOf(request))
  if (visitor === null || visitor.current === null || !isSameToken(given, visitor.formToken)) return null
  const { requestId: _, ...identity } = contextOf(visitor, visitor.current, {
    requestId: request.id,
    from: originOf(request),
  })
  return identity
}
