/** /account: a person's own data, password, one-time codes and sessions, and the account for which the person works. */

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Exchange } from '../../api/http/exchange.ts'
import { html } from '../../api/http/html.ts'
import { sendsMail } from '../../modules/derived-settings.ts'
import { renameCompany } from '../../modules/members/rename-company.ts'
import type { Service } from '../../modules/service.ts'
import { changeName, changePassword } from '../../modules/sessions/change-password.ts'
import type { Visitor } from '../../modules/sessions/find-session.ts'
import { chooseAccount, endSessions, listOwnSessions } from '../../modules/sessions/own-sessions.ts'
import { confirmTwoFactor, getTwoFactor, startTwoFactor, stopTwoFactor } from '../../modules/sessions/two-factor.ts'
import { findAddressState, requestOwnConfirmation } from '../../pipeline/notifications/alert-addresses.ts'
import { type Faults, faultsOf, noFaults } from '../page-parts/fields.ts'
import { checkForm, type Form, page, readForm, readParameter } from '../page-parts/form.ts'
import { sendPage, writePage } from '../page-parts/page.ts'
import { toSafeReturnPath } from '../return-path.ts'
import { accountContextOf, personOf, requireVisitor, storeSession } from '../visitor.ts'
import { type AccountForm, writeAccount, writeRecoveryCodes } from './account-view.ts'

export function accountPage(pages: FastifyInstance, service: Service): void {
  pages.get('/account', page, async (request, reply) => {
    const visitor = await requireVisitor(service, request, reply)
    if (visitor === null) return reply
    return showAccount({ request, reply }, visitor, { done: readParameter(request, 'done') })
  })

  addAction('/account/name', 'name', async (form, person) => {
    await changeName(service, person, { name: form.get('name') })
    return { done: 'name' }
  })
  addAction('/account/email', 'email', async (_form, _person, context) => {
    await requestOwnConfirmation(service, context())
    return { done: 'email' }
  })
  addAction('/account/password', 'password', async (form, person) => {
    const input = { password: form.get('password'), newPassword: form.get('new_password') }
    return { done: 'password', token: await changePassword(service, person, input) }
  })
  addAction('/account/two-factor/start', 'two_factor', async (form, person) => {
    await startTwoFactor(service, person, { password: form.get('password') })
    return { done: 'codes-started' }
  })
  addAction('/account/two-factor/stop', 'two_factor', async (form, person) => {
    const token = await stopTwoFactor(service, person, { password: form.get('password') })
    return { done: 'codes-off', token }
  })
  addAction('/account/sessions/end', 'name', async (form, person) => {
    const id = form.get('id')
    await endSessions(service, person, id === '' ? 'others' : { id })
    return { done: 'session' }
  })
  addAction('/account/company', 'company', async (form, _person, context) => {
    await renameCompany(service, context(), { companyName: form.get('company') })
    return { done: 'company' }
  })

  pages.post('/account/two-factor/confirm', page, async (request, reply) => {
    const visitor = await requireVisitor(service, request, reply)
    if (visitor === null) return reply
    checkForm(service, request, visitor.formToken)
    try {
      const input = { code: readForm(request).get('code') }
      const { recoveryCodes, token } = await confirmTwoFactor(service, personOf(visitor, request), input)
      storeSession(service, { request, reply }, token)
      const body = writeRecoveryCodes(recoveryCodes)
      // The session has a new token, so forms with the old one would fail. A page without a visitor has no such forms.
      return sendPage(reply, { page: writePage({ title: 'Recovery codes', visitor: null, body }) })
    } catch (error) {
      return showAccount({ request, reply }, visitor, {
        form: 'two_factor',
        faults: faultsOf(error, ['code']),
      })
    }
  })

  pages.post('/account/choose', page, async (request, reply) => {
    const visitor = await requireVisitor(service, request, reply)
    if (visitor === null) return reply
    checkForm(service, request, visitor.formToken)
    const form = readForm(request)
    const accountId = visitor.memberships.find(({ account }) => account.id === form.get('account'))?.account.id
    if (accountId !== undefined) {
      const token = await chooseAccount(service, personOf(visitor, request), { accountId })
      storeSession(service, { request, reply }, token)
    }
    return reply.redirect(toSafeReturnPath(form.get('next')), 303)
  })

  type Work = (
    form: Form,
    person: ReturnType<typeof personOf>,
    /** Refuses a person without an account. */
    context: () => ReturnType<typeof accountContextOf>,
  ) => Promise<{ readonly done: string; readonly token?: string }>

  function addAction(path: string, formName: AccountForm, work: Work): void {
    pages.post(path, page, async (request, reply) => {
      const visitor = await requireVisitor(service, request, reply)
      if (visitor === null) return reply
      checkForm(service, request, visitor.formToken)
      try {
        const { done, token } = await work(readForm(request), personOf(visitor, request), () =>
          accountContextOf(visitor, request),
        )
        if (token !== undefined) storeSession(service, { request, reply }, token)
        return reply.redirect(`/account?done=${done}`, 303)
      } catch (error) {
        const faults = faultsOf(error, ['name', 'password', 'new_password', 'company'])
        return showAccount({ request, reply }, visitor, { form: formName, faults })
      }
    })
  }

  async function showAccount(
    { request, reply }: Exchange,
    visitor: Visitor,
    state: { readonly done?: string | null; readonly form?: AccountForm; readonly faults?: Faults },
  ): Promise<FastifyReply> {
    const person = personOf(visitor, request)
    const [twoFactor, sessions] = [await getTwoFactor(service, person), await listOwnSessions(service, person)]
    const { current, user } = visitor
    const address = current && (await findAddressState(service, { accountId: current.account.id, email: user.email }))
    const { done = null, form = null, faults = noFaults } = state
    const body = html`<h2>You</h2>${writeAccount({ visitor, twoFactor, sessions, address, hasMail: sendsMail(service.config), done, form, faults })}`
    return sendPage(reply, {
      faults,
      page: writePage({ title: 'You', visitor, body, current: '/account' }),
    })
  }
}
