/** /sign-in/elsewhere: to the other server by which people sign in, and /sign-in/elsewhere/callback: back from it. */

import type { FastifyInstance } from 'fastify'
import { readCookie, setCookie } from '../../api/http/cookies.ts'
import { html } from '../../api/http/html.ts'
import { publicOrigin } from '../../api/http/public-origin.ts'
import type { Service } from '../../modules/service.ts'
import { getAuthorizationUrl } from '../../modules/sessions/identity-provider.ts'
import { signInWithProvider } from '../../modules/sessions/sign-in-elsewhere.ts'
import { makeToken } from '../../modules/sessions/token.ts'
import { faultsOf, fieldFaults, formFault } from '../page-parts/fields.ts'
import { page, readParameter } from '../page-parts/form.ts'
import { addReturnPath, toSafeReturnPath } from '../return-path.ts'
import { sendAuthPage } from './gate.ts'
import { buildSignInRequest, challengeMaxAgeS, completeSignIn } from './signing-in.ts'

const callback = '/sign-in/elsewhere/callback'
/** A cookie has no more; a longer way on is forgotten. */
const nextMax = 150

export function signInElsewherePages(pages: FastifyInstance, service: Service): void {
  const sendFault = (exchange: Parameters<typeof sendAuthPage>[0], faults: ReturnType<typeof fieldFaults>) =>
    sendAuthPage(exchange, {
      title: 'Sign in',
      faults,
      body: html`<h2>Sign in</h2>${formFault(faults)}<p class="ways"><a href="/sign-in">Back to the sign-in</a></p>`,
    })

  pages.get('/sign-in/elsewhere', page, async (request, reply) => {
    const state = makeToken()
    const next = Buffer.from(toSafeReturnPath(readParameter(request, 'next'))).toString('base64url')
    try {
      const redirectUri = publicOrigin(service.config, request) + callback
      const address = await getAuthorizationUrl(service, { state, redirectUri })
      const value = next.length <= nextMax ? `${state}.${next}` : state
      setCookie(service, { request, reply }, { name: 'elsewhere', value, maxAgeS: challengeMaxAgeS })
      return reply.redirect(address.href, 303)
    } catch (error) {
      return sendFault({ request, reply }, faultsOf(error, []))
    }
  })

  pages.get(callback, page, async (request, reply) => {
    const exchange = { request, reply }
    const [state = '', next = ''] = (readCookie(service, request, 'elsewhere') ?? '').split('.')
    const path = toSafeReturnPath(Buffer.from(next, 'base64url').toString())
    setCookie(service, exchange, { name: 'elsewhere', value: null })
    const address = new URL(request.url, publicOrigin(service.config, request))
    try {
      const answer =
        state === ''
          ? ({ kind: 'wrong' } as const)
          : await signInWithProvider(service, { state, address }, await buildSignInRequest(service, exchange))
      if (answer.kind === 'wrong')
        return sendFault(exchange, fieldFaults('', 'This sign-in was cancelled, or it took too long. Try again.', 401))
      if (answer.kind === 'signed_in') return completeSignIn(service, exchange, { session: answer, path })
      const { challenge: value } = answer
      setCookie(service, exchange, { name: 'challenge', value, maxAgeS: challengeMaxAgeS })
      return reply.redirect(addReturnPath('/sign-in/code', path), 303)
    } catch (error) {
      return sendFault(exchange, faultsOf(error, []))
    }
  })
}
