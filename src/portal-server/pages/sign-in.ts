/** /sign-in, /sign-in/code and /sign-out. A password is needed, and a one-time code if the person has set that up. */

import type { FastifyInstance, FastifyReply } from 'fastify'
import { readCookie, setCookie } from '../../api/http/cookies.ts'
import type { Exchange } from '../../api/http/exchange.ts'
import { type Html, html } from '../../api/http/html.ts'
import type { Service } from '../../modules/service.ts'
import { hasProvider } from '../../modules/sessions/identity-provider.ts'
import { endSessions } from '../../modules/sessions/own-sessions.ts'
import { signInWithCode } from '../../modules/sessions/pass-code.ts'
import { signIn } from '../../modules/sessions/sign-in.ts'
import {
  type Faults,
  faultsOf,
  fieldFaults,
  formFault,
  inputField,
  noFaults,
  submitButton,
} from '../page-parts/fields.ts'
import {
  checkAnonymousForm,
  checkForm,
  makeAnonymousFormToken,
  page,
  readForm,
  readParameter,
} from '../page-parts/form.ts'
import { renderFormTokenField } from '../page-parts/form-field.ts'
import { addReturnPath, toSafeReturnPath } from '../return-path.ts'
import { findVisitor, personOf } from '../visitor.ts'
import { sendAuthPage } from './gate.ts'
import { buildSignInRequest, challengeMaxAgeS, completeSignIn } from './signing-in.ts'

export function signInPages(pages: FastifyInstance, service: Service): void {
  pages.get('/sign-in', page, async (request, reply) => {
    const path = toSafeReturnPath(readParameter(request, 'next'))
    if ((await findVisitor(service, request)) !== null) return reply.redirect(path, 303)
    return showSignIn(
      { request, reply },
      { path, email: '', isReset: readParameter(request, 'done') === 'reset', faults: noFaults },
    )
  })

  pages.post('/sign-in', page, async (request, reply) => {
    checkAnonymousForm(service, request)
    const form = readForm(request)
    const path = toSafeReturnPath(form.get('next'))
    const email = form.get('email')
    const again = (faults: Faults): FastifyReply =>
      showSignIn({ request, reply }, { path, email, isReset: false, faults })
    try {
      const requestInfo = await buildSignInRequest(service, { request, reply })
      const answer = await signIn(service, { email, password: form.get('password') }, requestInfo)
      if (answer.kind === 'wrong')
        return again(fieldFaults('', 'The e-mail address or the password is not right.', 401))
      if (answer.kind === 'signed_in') return completeSignIn(service, { request, reply }, { session: answer, path })
      const { challenge: value } = answer
      setCookie(service, { request, reply }, { name: 'challenge', value, maxAgeS: challengeMaxAgeS })
      return reply.redirect(addReturnPath('/sign-in/code', path), 303)
    } catch (error) {
      return again(faultsOf(error, []))
    }
  })

  pages.get('/sign-in/code', page, async (request, reply) => {
    const path = toSafeReturnPath(readParameter(request, 'next'))
    if (readCookie(service, request, 'challenge') === null) return reply.redirect(addReturnPath('/sign-in', path), 303)
    return showCode({ request, reply }, path, noFaults)
  })

  pages.post('/sign-in/code', page, async (request, reply) => {
    checkAnonymousForm(service, request)
    const form = readForm(request)
    const path = toSafeReturnPath(form.get('next'))
    const challenge = readCookie(service, request, 'challenge') ?? ''
    try {
      const requestInfo = await buildSignInRequest(service, { request, reply })
      const answer = await signInWithCode(service, { challenge, code: form.get('code') }, requestInfo)
      if (answer.kind === 'signed_in') return completeSignIn(service, { request, reply }, { session: answer, path })
      if (answer.kind === 'over') {
        setCookie(service, { request, reply }, { name: 'challenge', value: null })
        return reply.redirect(addReturnPath('/sign-in', path), 303)
      }
      const wrong = 'This code is not right, or was used already. Wait for the next one.'
      return showCode({ request, reply }, path, fieldFaults('code', wrong, 401))
    } catch (error) {
      return showCode({ request, reply }, path, faultsOf(error, ['code']))
    }
  })

  pages.post('/sign-out', page, async (request, reply) => {
    const visitor = await findVisitor(service, request)
    if (visitor !== null) {
      checkForm(service, request, visitor.formToken)
      await endSessions(service, personOf(visitor, request), { id: visitor.sessionId })
    }
    setCookie(service, { request, reply }, { name: 'session', value: null })
    // Also deletes what the portal's own page has stored for this tab.
    return reply.header('clear-site-data', '"cache", "storage"').redirect('/sign-in', 303)
  })

  function showSignIn(
    exchange: Exchange,
    { path, email, isReset, faults }: { path: string; email: string; isReset: boolean; faults: Faults },
  ): FastifyReply {
    const token = makeAnonymousFormToken(service, exchange)
    const hasPasswords = service.config.signIn.passwords !== false
    const body = html`<h2>Sign in</h2>
${isReset ? html`<p class="done" role="status">Your password is changed. Sign in with the new one.</p>` : null}
${providerLink(path)}
${hasPasswords ? null : formFault(faults)}
${hasPasswords ? passwordForm() : null}`
    return sendAuthPage(exchange, { title: 'Sign in', body, faults })

    function passwordForm(): Html {
      return html`<form method="post" action="/sign-in" class="stack">${renderFormTokenField(token)}
<input type="hidden" name="next" value="${path}">
${formFault(faults)}
${inputField({ name: 'email', label: 'E-mail', type: 'email', value: email, autocomplete: 'username' })}
${inputField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
${submitButton('Sign in')}
</form>
<p class="quiet ways"><a href="/forgotten-password">Forgotten your password?</a> <a href="/sign-up">Sign up</a></p>`
    }
  }

  /** The way to the other server, where one is set up. */
  function providerLink(path: string): Html | null {
    if (!hasProvider(service)) return null
    const { name } = service.config.signIn
    return html`<p><a class="button primary" href="${addReturnPath('/sign-in/elsewhere', path)}">Sign in with ${name}</a></p>`
  }

  function showCode(exchange: Exchange, path: string, faults: Faults): FastifyReply {
    const token = makeAnonymousFormToken(service, exchange)
    const body = html`<h2>One more step</h2>
<form method="post" action="/sign-in/code" class="stack">${renderFormTokenField(token)}
<input type="hidden" name="next" value="${path}">
${formFault(faults)}
${inputField({ name: 'code', label: 'Code', autocomplete: 'one-time-code', hint: 'The six digits that your authenticator app shows now, or one of your recovery codes.' }, faults)}
${submitButton('Go on')}
</form>`
    return sendAuthPage(exchange, { title: 'One-time code', body, faults })
  }
}
