/** /invitation: accepts an invitation to an account, as a new person or as the person who is signed in. */

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Exchange } from '../../api/http/exchange.ts'
import { html } from '../../api/http/html.ts'
import { ServiceError } from '../../modules/errors.ts'
import { acceptInvitation, getInvitation } from '../../modules/members/accept-invitation.ts'
import type { OpenInvitation } from '../../modules/members/invitations-sql.ts'
import type { Service } from '../../modules/service.ts'
import { type Faults, faultsOf, formFault, noFaults, submitButton } from '../page-parts/fields.ts'
import {
  checkAnonymousForm,
  checkForm,
  makeAnonymousFormToken,
  page,
  readForm,
  readParameter,
} from '../page-parts/form.ts'
import { renderFormTokenField } from '../page-parts/form-field.ts'
import { findVisitor, personOf, storeSession } from '../visitor.ts'
import { sendAuthPage } from './gate.ts'
import { personFields, readSignUpValues, registerPerson, type SignUpValues } from './new-person.ts'

export function invitationPages(pages: FastifyInstance, service: Service): void {
  pages.get('/invitation', page, async (request, reply) => {
    const given = readParameter(request, 'token') ?? ''
    const invitation = await getInvitation(service, given)
    return showInvitation({ request, reply }, { token: given, invitation, values: {}, faults: noFaults })
  })

  pages.post('/invitation', page, async (request, reply) => {
    const form = readForm(request)
    const token = form.get('token')
    const visitor = await findVisitor(service, request)
    if (visitor === null) checkAnonymousForm(service, request)
    else checkForm(service, request, visitor.formToken)
    const invitation = await getInvitation(service, token)
    try {
      if (visitor === null)
        return await registerPerson(service, { request, reply }, form, { kind: 'invitation', token })
      storeSession(service, { request, reply }, await acceptInvitation(service, personOf(visitor, request), { token }))
      return reply.redirect('/account', 303)
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not_found') throw error
      const faults = faultsOf(error, ['name', 'email', 'password'])
      return showInvitation({ request, reply }, { token, invitation, values: readSignUpValues(form), faults })
    }
  })

  async function showInvitation(
    exchange: Exchange,
    {
      token,
      invitation,
      values,
      faults,
    }: { token: string; invitation: OpenInvitation; values: SignUpValues; faults: Faults },
  ): Promise<FastifyReply> {
    const visitor = await findVisitor(service, exchange.request)
    const role = invitation.role.replace('_', '-')
    const next = encodeURIComponent(`/invitation?token=${token}`)
    const hidden = html`${renderFormTokenField(visitor?.formToken ?? makeAnonymousFormToken(service, exchange))}<input type="hidden" name="token" value="${token}">`
    const body = html`<h2>${invitation.companyName}</h2>
<p>You are invited as <strong>${role}</strong>, under <strong>${invitation.email}</strong>.</p>
<form method="post" action="/invitation" class="stack">${hidden}
${formFault(faults)}
${visitor === null ? personFields({ email: invitation.email, ...values }, faults) : null}
${submitButton('Accept')}
</form>
${visitor === null ? html`<p class="quiet ways"><a href="/sign-in?next=${next}">I have a password already</a></p>` : null}`
    return sendAuthPage(exchange, { title: 'Invitation', visitor, body, faults })
  }
}
