/**
 * /sign-up: registers a person with the key of an account, or with a new account if the installation allows everybody
 * to open one.
 */

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Exchange } from '../../api/http/exchange.ts'
import { html } from '../../api/http/html.ts'
import { addAccount } from '../../modules/members/claim-account.ts'
import type { SignUp } from '../../modules/members/sign-up.ts'
import type { Service } from '../../modules/service.ts'
import type { Visitor } from '../../modules/sessions/find-session.ts'
import { type Faults, faultsOf, formFault, inputField, noFaults, submitButton } from '../page-parts/fields.ts'
import { checkAnonymousForm, checkForm, makeAnonymousFormToken, page, readForm } from '../page-parts/form.ts'
import { renderFormTokenField } from '../page-parts/form-field.ts'
import { findVisitor, personOf, storeSession } from '../visitor.ts'
import { sendAuthPage } from './gate.ts'
import { personFields, readSignUpValues, registerPerson, type SignUpValues } from './new-person.ts'

const keyHint = html`Whoever runs Landfall has it: it was printed at the first start and is kept in the data folder as <code>first-api-key</code>.`

export function signUpPages(pages: FastifyInstance, service: Service): void {
  const isOpen = service.config.accounts.signUp === 'open'

  pages.get('/sign-up', page, async (request, reply) => {
    const visitor = await findVisitor(service, request)
    return visitor === null ? showNew({ request, reply }, {}, noFaults) : showAdd({ request, reply }, visitor, noFaults)
  })

  pages.post('/sign-up', page, async (request, reply) => {
    const form = readForm(request)
    const visitor = await findVisitor(service, request)
    if (visitor !== null) {
      checkForm(service, request, visitor.formToken)
      try {
        const person = personOf(visitor, request)
        storeSession(service, { request, reply }, await addAccount(service, person, { key: form.get('key') }))
        return reply.redirect('/account', 303)
      } catch (error) {
        return showAdd({ request, reply }, visitor, faultsOf(error, ['key']))
      }
    }
    checkAnonymousForm(service, request)
    try {
      const by: SignUp['by'] =
        isOpen && form.get('key').trim() === ''
          ? { kind: 'open', companyName: form.get('company') }
          : { kind: 'key', key: form.get('key') }
      return await registerPerson(service, { request, reply }, form, by)
    } catch (error) {
      const fields = ['name', 'email', 'password', 'key', ...(isOpen ? ['company'] : [])]
      return showNew({ request, reply }, readSignUpValues(form), faultsOf(error, fields))
    }
  })

  function showNew(exchange: Exchange, values: SignUpValues, faults: Faults): FastifyReply {
    const token = makeAnonymousFormToken(service, exchange)
    const body = html`<h2>Sign up</h2>
${isOpen ? null : html`<p class="quiet">The first person of an account shows its API key. Everybody else is invited by somebody who is in.</p>`}
<form method="post" action="/sign-up" class="stack">${renderFormTokenField(token)}
${formFault(faults)}
${personFields(values, faults)}
${isOpen ? inputField({ name: 'company', label: 'Company', value: values.company ?? '', autocomplete: 'organization', isOptional: true, hint: 'For your new account. Leave it empty if you have an API key of an existing account.' }, faults) : null}
${inputField({ name: 'key', label: isOpen ? 'API key' : 'First API key', type: 'password', isOptional: isOpen, hint: keyHint }, faults)}
${submitButton('Sign up')}
</form>
<p class="quiet ways"><a href="/sign-in">I have a password already</a></p>`
    return sendAuthPage(exchange, { title: 'Sign up', body, faults })
  }

  function showAdd(exchange: Exchange, visitor: Visitor, faults: Faults): FastifyReply {
    const body = html`<h2>Add an account</h2>
<p class="quiet">An account that belongs to nobody yet is yours with one of its API keys.</p>
<form method="post" action="/sign-up" class="stack">${renderFormTokenField(visitor.formToken)}
${formFault(faults)}
${inputField({ name: 'key', label: 'API key', type: 'password', hint: keyHint }, faults)}
${submitButton('Add')}
</form>`
    return sendAuthPage(exchange, { title: 'Add an account', visitor, body, faults })
  }
}
