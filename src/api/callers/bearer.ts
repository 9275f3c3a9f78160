/**
 * Requests with an OAuth access token: who makes them, and the challenge that a client gets when its token is not valid
 * (RFC 6750).
 */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../modules/access/context.ts'
import { ServiceError } from '../../modules/errors.ts'
import { authenticateBearer } from '../../modules/oauth-apps/authenticate-bearer.ts'
import { issuerRetryS } from '../../modules/oauth-apps/foreign-token.ts'
import { readLoopbackName, resourceIdentifiers } from '../../modules/oauth-apps/protected-resources.ts'
import { allScopes } from '../../modules/oauth-apps/token-scopes.ts'
import type { Service } from '../../modules/service.ts'
import { headerFault, Problem } from '../errors/problem.ts'
import type { Caller } from './caller.ts'
import { callerDecorator } from './request-caller.ts'

/** Null when the header contains no bearer token. */
export function findBearerToken(header: string | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? null
}

/** Null for a token that is unknown, has expired, or was issued for another resource. */
export async function identifyBearer(
  service: Service,
  request: FastifyRequest,
  token: string,
): Promise<Omit<Context, 'requestId'> | null> {
  const accountId = request.headers['x-account-id']
  if (Array.isArray(accountId)) throw headerFault('malformed', 'x-account-id', 'Name one account.')
  const answer = await authenticateBearer(service, { token, resource: 'api', accountId })
  switch (answer.kind) {
    case 'identity':
      return answer.identity
    case 'invalid':
      return null
    case 'insufficient':
      throw new Problem(
        'forbidden',
        { detail: `The access token lacks the scope ${allScopes[0]}.` },
        { 'www-authenticate': bearerChallenge(service, request, 'insufficient_scope') },
      )
    case 'unavailable':
      throw new ServiceError(
        'issuer_unavailable',
        'The authorization server cannot be reached. Try again in a moment.',
        { retryAfterSeconds: issuerRetryS },
      )
  }
}

export function bearerChallenge(
  { config }: Service,
  request: FastifyRequest,
  error: 'invalid_token' | 'insufficient_scope' | null,
): string {
  const { origin, pathname } = new URL(resourceIdentifiers(config, readLoopbackName(request.host)).api)
  const parts = [
    ...(error === null ? [] : [`error="${error}"`]),
    `resource_metadata="${origin}/.well-known/oauth-protected-resource${pathname}"`,
    `scope="${allScopes.join(' ')}"`,
  ]
  return `Bearer ${parts.join(', ')}`
}

/**
 * Names to a client with a read-only token the scope that it lacks. The client may then request that scope from its
 * person.
 */
export function challengeMissingScope(app: FastifyInstance, service: Service): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const caller =
      reply.statusCode === 403 && !request.is404 ? request.getDecorator<Caller | null>(callerDecorator) : undefined
    if (caller?.context.actor.kind === 'oauth_client' && !caller.context.scopes.includes('write'))
      reply.header('www-authenticate', bearerChallenge(service, request, 'insufficient_scope'))
    done(null, payload)
  })
}
