/** /forgotten-password and /reset-password: sends a link by e-mail, with which the person sets a new password. */

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Exchange } from '../../api/http/exchange.ts'
import { html } from '../../api/http/html.ts'
import { originOf } from '../../api/http/request-origin.ts'
import { sendsMail } from '../../modules/derived-settings.ts'
import type { Service } from '../../modules/service.ts'
import { passwordLengthMin } from '../../modules/sessions/password.ts'
import { findResetUser, requestPasswordReset, resetPassword } from '../../modules/sessions/reset-password.ts'
import { callIt } from '../../platform/call-it.ts'
import {
  type Faults,
  faultsOf,
  fieldFaults,
  formFault,
  inputField,
  noFaults,
  submitButton,
} from '../page-parts/fields.ts'
import { checkAnonymousForm, makeAnonymousFormToken, page, readForm, readParameter } from '../page-parts/form.ts'
import { renderFormTokenField } from '../page-parts/form-field.ts'
import { sendAuthPage } from './gate.ts'

export function forgottenPasswordPages(pages: FastifyInstance, service: Service): void {
  pages.get('/forgotten-password', page, async (request, reply) =>
    showEmailForm({ request, reply }, { email: '', faults: noFaults }),
  )

  pages.post('/forgotten-password', page, async (request, reply) => {
    checkAnonymousForm(service, request)
    const email = readForm(request).get('email')
    try {
      await requestPasswordReset(service, { email }, { from: originOf(request), requestId: request.id })
    } catch (error) {
      return showEmailForm({ request, reply }, { email, faults: faultsOf(error, []) })
    }
    const body = sendsMail(service.config)
      ? html`<p>If there is somebody of this address here, a mail with a link is on its way. The link is good for an hour.</p>`
      : html`<p>This installation sends no mail. If there is somebody of this address, whoever runs it can make a link for a new password:</p>
<pre><code>${callIt} users reset-link &lt;address&gt;</code></pre>`
    return sendAuthPage(
      { request, reply },
      { title: 'Forgotten password', body: html`<h2>Look for a mail</h2>${body}` },
    )
  })

  pages.get('/reset-password', page, async (request, reply) => {
    return showPasswordForm({ request, reply }, { token: readParameter(request, 'token') ?? '', faults: noFaults })
  })

  pages.post('/reset-password', page, async (request, reply) => {
    checkAnonymousForm(service, request)
    const form = readForm(request)
    const token = form.get('token')
    try {
      const by = { from: originOf(request), requestId: request.id }
      await resetPassword(service, { token, password: form.get('password') }, by)
      return reply.redirect('/sign-in?done=reset', 303)
    } catch (error) {
      return showPasswordForm({ request, reply }, { token, faults: faultsOf(error, ['password']) })
    }
  })

  function showEmailForm(exchange: Exchange, { email, faults }: { email: string; faults: Faults }): FastifyReply {
    const body = html`<h2>Forgotten your password?</h2>
<form method="post" action="/forgotten-password" class="stack">${renderFormTokenField(makeAnonymousFormToken(service, exchange))}
${formFault(faults)}
${inputField({ name: 'email', label: 'E-mail', type: 'email', value: email, autocomplete: 'username' }, faults)}
${submitButton('Send me a link')}
</form>
<p class="quiet ways"><a href="/sign-in">Back to signing in</a></p>`
    return sendAuthPage(exchange, { title: 'Forgotten password', body, faults })
  }

  async function showPasswordForm(
    exchange: Exchange,
    { token, faults }: { token: string; faults: Faults },
  ): Promise<FastifyReply> {
    const user = await findResetUser(service, token)
    if (user === null) {
      const expiredFaults = fieldFaults('', 'This link was used already or has run out.', 404)
      return sendAuthPage(exchange, {
        title: 'New password',
        faults: expiredFaults,
        body: html`<h2>New password</h2>${formFault(expiredFaults)}<p><a href="/forgotten-password">Ask for a new link</a></p>`,
      })
    }
    const hint = `At least ${passwordLengthMin} characters. You will be signed out everywhere.`
    const body = html`<h2>New password</h2>
<p class="quiet">For ${user.email}.</p>
<form method="post" action="/reset-password" class="stack">${renderFormTokenField(makeAnonymousFormToken(service, exchange))}
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="username" value="${user.email}" autocomplete="username">
${formFault(faults)}
${inputField({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', hint }, faults)}
${submitButton('Take this password')}
</form>`
    return sendAuthPage(exchange, { title: 'New password', body, faults })
  }
}
