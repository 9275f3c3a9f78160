/** /sign-up, /first-sign-in and /invitation: how people come in. */

import type { FastifyInstance, FastifyReply } from 'fastify'
import { ServiceError } from '../../../service/errors.ts'
import { acceptInvitation, getInvitation } from '../../../service/people/members/accept-invitation.ts'
import { addAccount } from '../../../service/people/members/claim-account.ts'
import { type SignUp, signUp } from '../../../service/people/members/sign-up.ts'
import type { Visitor } from '../../../service/people/sessions/find-session.ts'
import { passwordLengthMin } from '../../../service/people/sessions/password.ts'
import { getSignInLink, signInLinkPath } from '../../../service/people/users/sign-in-link.ts'
import type { Service } from '../../../service/service.ts'
import type { OpenInvitation } from '../../../store/invitations.ts'
import { type Faults, faultsOf, field, formFault, noFaults, submit } from '../fields.ts'
import { checkForm, checkVisitForm, type Form, page, readForm, readParameter, visitToken } from '../form.ts'
import { formField } from '../form-field.ts'
import { type Html, html } from '../html.ts'
import { type Exchange, findVisitor, keepSession, originOf, personOf } from '../visitor.ts'
import { letIn, sendGate } from './gate.ts'

const newPassword = `At least ${passwordLengthMin} characters. A few words that belong together only for you are good.`
const keyHint = html`Whoever runs Landfall has it: it was printed at the first start and is kept in the data folder as <code>first-api-key</code>.`

export function signUpPages(pages: FastifyInstance, service: Service): void {
  const isOpen = service.config.accounts.signUp === 'open'

  pages.get('/sign-up', page, async (request, reply) => {
    const visitor = await findVisitor(service, request)
    return visitor === null
      ? showNew({ request, reply }, {}, noFaults)
      : showAdd({ request, reply }, visitor, noFaults)
  })

  pages.post('/sign-up', page, async (request, reply) => {
    const form = readForm(request)
    const visitor = await findVisitor(service, request)
    if (visitor !== null) {
      checkForm(service, request, visitor.formToken)
      try {
        const person = personOf(visitor, request)
        keepSession(service, { request, reply }, await addAccount(service, person, { key: form.get('key') }))
        return reply.redirect('/account', 303)
      } catch (error) {
        return showAdd({ request, reply }, visitor, faultsOf(error, ['key']))
      }
    }
    checkVisitForm(service, request)
    try {
      const by: SignUp['by'] =
        isOpen && form.get('key').trim() === ''
          ? { kind: 'open', companyName: form.get('company') }
          : { kind: 'key', key: form.get('key') }
      return await enter({ request, reply }, form, by)
    } catch (error) {
      const fields = ['name', 'email', 'password', 'key', ...(isOpen ? ['company'] : [])]
      return showNew({ request, reply }, valuesOf(form), faultsOf(error, fields))
    }
  })

  pages.get(signInLinkPath, page, async (request, reply) => {
    const token = readParameter(request, 'token') ?? ''
    await getSignInLink(service, token)
    return showFirst({ request, reply }, { token, values: {}, faults: noFaults })
  })

  pages.post(signInLinkPath, page, async (request, reply) => {
    checkVisitForm(service, request)
    const form = readForm(request)
    const token = form.get('token')
    await getSignInLink(service, token)
    try {
      return await enter({ request, reply }, form, { kind: 'link', token }, '/')
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not_found') throw error
      const faults = faultsOf(error, ['name', 'email', 'password'])
      return showFirst({ request, reply }, { token, values: valuesOf(form), faults })
    }
  })

  pages.get('/invitation', page, async (request, reply) => {
    const given = readParameter(request, 'token') ?? ''
    const invitation = await getInvitation(service, given)
    return showInvitation({ request, reply }, { token: given, invitation, values: {}, faults: noFaults })
  })

  pages.post('/invitation', page, async (request, reply) => {
    const form = readForm(request)
    const token = form.get('token')
    const visitor = await findVisitor(service, request)
    if (visitor === null) checkVisitForm(service, request)
    else checkForm(service, request, visitor.formToken)
    const invitation = await getInvitation(service, token)
    try {
      if (visitor === null) return await enter({ request, reply }, form, { kind: 'invitation', token })
      keepSession(
        service,
        { request, reply },
        await acceptInvitation(service, personOf(visitor, request), { token }),
      )
      return reply.redirect('/account', 303)
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not_found') throw error
      const faults = faultsOf(error, ['name', 'email', 'password'])
      return showInvitation({ request, reply }, { token, invitation, values: valuesOf(form), faults })
    }
  })

  async function enter(
    exchange: Exchange,
    form: Form,
    by: SignUp['by'],
    goingTo = '/account',
  ): Promise<FastifyReply> {
    const { request, reply } = exchange
    const person = { name: form.get('name'), email: form.get('email'), password: form.get('password') }
    const asked = { from: originOf(request), requestId: request.id }
    letIn(service, exchange, await signUp(service, { ...person, by }, asked))
    return reply.redirect(goingTo, 303)
  }

  function showNew(exchange: Exchange, values: Values, faults: Faults): FastifyReply {
    const token = visitToken(service, exchange)
    const body = html`<h2>Sign up</h2>
${isOpen ? null : html`<p class="quiet">The first person of an account shows its API key. Everybody else is invited by somebody who is in.</p>`}
<form method="post" action="/sign-up" class="stack">${formField(token)}
${formFault(faults)}
${personFields(values, faults)}
${isOpen ? field({ name: 'company', label: 'Company', value: values.company ?? '', autocomplete: 'organization', isOptional: true, hint: 'Of your new account. Leave it out when you have an API key of an account that is there.' }, faults) : null}
${field({ name: 'key', label: isOpen ? 'API key' : 'First API key', type: 'password', isOptional: isOpen, hint: keyHint }, faults)}
${submit('Sign up')}
</form>
<p class="quiet ways"><a href="/sign-in">I have a password already</a></p>`
    return sendGate(exchange, { title: 'Sign up', body, faults })
  }

  function showFirst(
    exchange: Exchange,
    { token, values, faults }: { token: string; values: Values; faults: Faults },
  ): FastifyReply {
    const body = html`<h2>Welcome</h2>
<p>You are the first person here. With this e-mail address and password you sign in from now on; nothing is sent to the address.</p>
<form method="post" action="${signInLinkPath}" class="stack">${formField(visitToken(service, exchange))}
<input type="hidden" name="token" value="${token}">
${formFault(faults)}
${personFields(values, faults)}
${submit('Sign in')}
</form>`
    return sendGate(exchange, { title: 'Welcome', body, faults })
  }

  function showAdd(exchange: Exchange, visitor: Visitor, faults: Faults): FastifyReply {
    const body = html`<h2>Add an account</h2>
<p class="quiet">An account that belongs to nobody yet is yours with one of its API keys.</p>
<form method="post" action="/sign-up" class="stack">${formField(visitor.formToken)}
${formFault(faults)}
${field({ name: 'key', label: 'API key', type: 'password', hint: keyHint }, faults)}
${submit('Add')}
</form>`
    return sendGate(exchange, { title: 'Add an account', visitor, body, faults })
  }

  async function showInvitation(
    exchange: Exchange,
    {
      token,
      invitation,
      values,
      faults,
    }: { token: string; invitation: OpenInvitation; values: Values; faults: Faults },
  ): Promise<FastifyReply> {
    const visitor = await findVisitor(service, exchange.request)
    const role = invitation.role.replace('_', '-')
    const next = encodeURIComponent(`/invitation?token=${token}`)
    const hidden = html`${formField(visitor?.formToken ?? visitToken(service, exchange))}<input type="hidden" name="token" value="${token}">`
    const body = html`<h2>${invitation.companyName}</h2>
<p>You are invited as <strong>${role}</strong>, under <strong>${invitation.email}</strong>.</p>
<form method="post" action="/invitation" class="stack">${hidden}
${formFault(faults)}
${visitor === null ? personFields({ email: invitation.email, ...values }, faults) : null}
${submit('Accept')}
</form>
${visitor === null ? html`<p class="quiet ways"><a href="/sign-in?next=${next}">I have a password already</a></p>` : null}`
    return sendGate(exchange, { title: 'Invitation', visitor, body, faults })
  }
}

interface Values {
  readonly name?: string
  readonly email?: string
  readonly company?: string
}

function valuesOf(form: Form): Values {
  return { name: form.get('name'), email: form.get('email'), company: form.get('company') }
}

function personFields({ name = '', email = '' }: Values, faults: Faults): Html {
  return html`${field({ name: 'name', label: 'Name', value: name, autocomplete: 'name' }, faults)}
${field({ name: 'email', label: 'E-mail', type: 'email', value: email, autocomplete: 'username' }, faults)}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: newPassword }, faults)}`
}
