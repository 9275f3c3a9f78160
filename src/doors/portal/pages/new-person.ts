/** A person's first sign-in: their name, address and password, and the registration with these. */

import type { FastifyReply } from 'fastify'
import { type SignUp, signUp } from '../../../service/people/members/sign-up.ts'
import { passwordLengthMin } from '../../../service/people/sessions/password.ts'
import type { Service } from '../../../service/service.ts'
import type { Exchange } from '../../http/exchange.ts'
import { type Html, html } from '../../http/html.ts'
import { originOf } from '../../http/origin.ts'
import { type Faults, field } from '../page-parts/fields.ts'
import type { Form } from '../page-parts/form.ts'
import { letIn } from './gate.ts'

const newPassword = `At least ${passwordLengthMin} characters. A few words that belong together only for you are good.`

export async function enter(
  service: Service,
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

export interface Values {
  readonly name?: string
  readonly email?: string
  readonly company?: string
}

export function valuesOf(form: Form): Values {
  return { name: form.get('name'), email: form.get('email'), company: form.get('company') }
}

export function personFields({ name = '', email = '' }: Values, faults: Faults): Html {
  return html`${field({ name: 'name', label: 'Name', value: name, autocomplete: 'name' }, faults)}
${field({ name: 'email', label: 'E-mail', type: 'email', value: email, autocomplete: 'username' }, faults)}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: newPassword }, faults)}`
}
