/** Who views a page: the person whose session the browser has, or nobody. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie, setCookie } from '../api/http/cookies.ts'
import type { Exchange } from '../api/http/exchange.ts'
import { originOf } from '../api/http/request-origin.ts'
import type { Context } from '../modules/access/context.ts'
import { ServiceError } from '../modules/errors.ts'
import type { Service } from '../modules/service.ts'
import type { SignedIn } from '../modules/sessions/confirm-password.ts'
import { contextOf, findSession, type Visitor } from '../modules/sessions/find-session.ts'
import { addReturnPath } from './return-path.ts'

export async function findVisitor(service: Service, request: FastifyRequest): Promise<Visitor | null> {
  const token = readCookie(service, request, 'session')
  return token === null ? null : findSession(service, token, originOf(request))
}

/**
 * Null when nobody is signed in. Then the reply is already sent: a redirect to the sign-in page, which leads back here.
 */
export async function requireVisitor(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visitor | null> {
  const visitor = await findVisitor(service, request)
  if (visitor !== null) return visitor
  const next = request.method === 'GET' ? request.url : '/account'
  reply.header('cache-control', 'no-store').redirect(addReturnPath('/sign-in', next), 303)
  return null
}

/** For verbs about the person itself. */
export function personOf(visitor: Visitor, request: FastifyRequest): SignedIn {
  return {
    userId: visitor.user.id,
    sessionId: visitor.sessionId,
    requestId: request.id,
    from: originOf(request),
  }
}

/** For verbs about the account that is currently chosen. */
export function accountContextOf(visitor: Visitor, request: FastifyRequest): Context {
  if (visitor.current === null) {
    throw new ServiceError('forbidden', 'You belong to no account. Ask to be invited to one.')
  }
  return contextOf(visitor, visitor.current, { requestId: request.id, from: originOf(request) })
}

/** Stores this session in the browser. */
export function storeSession(service: Service, exchange: Exchange, token: string): void {
  setCookie(service, exchange, {
    name: 'session',
    value: token,
    maxAgeS: service.config.accounts.sessionDays * 86_400,
  })
}
