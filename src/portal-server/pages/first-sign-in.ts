/** /first-sign-in: for the first person of an installation, with the link that is printed at its start. */

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Exchange } from '../../api/http/exchange.ts'
import { html } from '../../api/http/html.ts'
import { ServiceError } from '../../modules/errors.ts'
import type { Service } from '../../modules/service.ts'
import { getSignInLink, signInLinkPath } from '../../modules/sessions/sign-in-link.ts'
import { type Faults, faultsOf, formFault, noFaults, submitButton } from '../page-parts/fields.ts'
import { checkAnonymousForm, makeAnonymousFormToken, page, readForm, readParameter } from '../page-parts/form.ts'
import { renderFormTokenField } from '../page-parts/form-field.ts'
import { sendAuthPage } from './gate.ts'
import { personFields, readSignUpValues, registerPerson, type SignUpValues } from './new-person.ts'

export function firstSignInPages(pages: FastifyInstance, service: Service): void {
  pages.get(signInLinkPath, page, async (request, reply) => {
    const token = readParameter(request, 'token') ?? ''
    await getSignInLink(service, token)
    return showFirst({ request, reply }, { token, values: {}, faults: noFaults })
  })

  pages.post(signInLinkPath, page, async (request, reply) => {
    checkAnonymousForm(service, request)
    const form = readForm(request)
    const token = form.get('token')
    await getSignInLink(service, token)
    try {
      return await registerPerson(service, { request, reply }, form, { kind: 'link', token }, '/')
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not_found') throw error
      const faults = faultsOf(error, ['name', 'email', 'password'])
      return showFirst({ request, reply }, { token, values: readSignUpValues(form), faults })
    }
  })

  function showFirst(
    exchange: Exchange,
    { token, values, faults }: { token: string; values: SignUpValues; faults: Faults },
  ): FastifyReply {
    const body = html`<h2>Welcome</h2>
<p>You are the first person here. With this e-mail address and password you sign in from now on; nothing is sent to the address.</p>
<form method="post" action="${signInLinkPath}" class="stack">${renderFormTokenField(makeAnonymousFormToken(service, exchange))}
<input type="hidden" name="token" value="${token}">
${formFault(faults)}
${personFields(values, faults)}
${submitButton('Sign in')}
</form>`
    return sendAuthPage(exchange, { title: 'Welcome', body, faults })
  }
}
