/** What every way to sign in has: the data of the browser, and what it gets when everything was right. */

import type { FastifyReply } from 'fastify'
import { readCookie, setCookie } from '../../api/http/cookies.ts'
import type { Exchange } from '../../api/http/exchange.ts'
import { originOf } from '../../api/http/request-origin.ts'
import type { Service } from '../../modules/service.ts'
import type { SignInRequest } from '../../modules/sessions/sign-in.ts'
import { findVisitor } from '../visitor.ts'
import { startBrowserSession } from './gate.ts'

/** A sign-in that needs one more step must end within this time. */
export const challengeMaxAgeS = 600

export async function buildSignInRequest(service: Service, { request }: Exchange): Promise<SignInRequest> {
  const old = await findVisitor(service, request)
  return {
    from: originOf(request),
    requestId: request.id,
    device: readCookie(service, request, 'device'),
    oldSession: old === null ? null : { id: old.sessionId, userId: old.user.id },
  }
}

export function completeSignIn(
  service: Service,
  exchange: Exchange,
  { session, path }: { readonly session: { readonly token: string; readonly userId: string }; readonly path: string },
): FastifyReply {
  startBrowserSession(service, exchange, session)
  setCookie(service, exchange, { name: 'challenge', value: null })
  return exchange.reply.redirect(path, 303)
}
