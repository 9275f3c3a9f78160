/** A person's first sign-in: their name, address and password, and the registration with these. */

import type { FastifyReply } from 'fastify'
import type { Exchange } from '../../api/http/exchange.ts'
import { type Html, html } from '../../api/http/html.ts'
import { originOf } from '../../api/http/request-origin.ts'
import { type SignUp, signUp } from '../../modules/members/sign-up.ts'
import type { Service } from '../../modules/service.ts'
import { passwordLengthMin } from '../../modules/sessions/password.ts'
import { type Faults, inputField } from '../page-parts/fields.ts'
import type { Form } from '../page-parts/form.ts'
import { startBrowserSession } from './gate.ts'

const newPassword = `At least ${passwordLengthMin} characters. Use a few words that only you would combine.`

export async function registerPerson(
  service: Service,
  exchange: Exchange,
  form: Form,
  by: SignUp['by'],
  goingTo = '/account',
): Promise<FastifyReply> {
  const { request, reply } = exchange
  const person = { name: form.get('name'), email: form.get('email'), password: form.get('password') }
  const requestInfo = { from: originOf(request), requestId: request.id }
  startBrowserSession(service, exchange, await signUp(service, { ...person, by }, requestInfo))
  return reply.redirect(goingTo, 303)
}

export interface SignUpValues {
  readonly name?: string
  readonly email?: string
  readonly company?: string
}

export function readSignUpValues(form: Form): SignUpValues {
  return { name: form.get('name'), email: form.get('email'), company: form.get('company') }
}

export function personFields({ name = '', email = '' }: SignUpValues, faults: Faults): Html {
  return html`${inputField({ name: 'name', label: 'Name', value: name, autocomplete: 'name' }, faults)}
${inputField({ name: 'email', label: 'E-mail', type: 'email', value: email, autocomplete: 'username' }, faults)}
${inputField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: newPassword }, faults)}`
}
