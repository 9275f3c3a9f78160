/**
 * Requests with an OAuth access token: who makes them, and the challenge that a client gets when its token is not valid
 * (RFC 6750).
 */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../../service/context.ts'
import { ServiceError } from '../../../service/errors.ts'
import { authenticateBearer } from '../../../service/people/access/authenticate-bearer.ts'
import { issuerRetryS } from '../../../service/people/oauth/foreign-token.ts'
import { readLoopbackName, resourceIdentifiers } from '../../../service/people/oauth/protected-resources.ts'
import { allScopes } from '../../../service/people/oauth/token-scopes.ts'
import type { Service } from '../../../service/service.ts'
import type { Caller } from '../../documents/following/caller.ts'
import { headerFault, Problem } from '../../http/problem.ts'
import { callerDecorator } from './caller.ts'

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
 * Names to a client with a read-only token the scope that it lacks. The client may then ask its person for that scope.
 */
export function challengeForMore(app: FastifyInstance, service: Service): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const caller =
      reply.statusCode === 403 && !request.is404
        ? request.getDecorator<Caller | null>(callerDecorator)
        : undefined
    if (caller?.context.actor.kind === 'oauth_client' && !caller.context.scopes.includes('write'))
      reply.header('www-authenticate', bearerChallenge(service, request, 'insufficient_scope'))
    done(null, payload)
  })
}
