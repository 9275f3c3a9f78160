/** All pages that the server writes for people: sign-in and sign-up, and the pages of their accounts. */

import type { FastifyInstance } from 'fastify'
import { settle } from '../../service/ground/after-answer.ts'
import type { Service } from '../../service/service.ts'
import { formPages } from './page-parts/form.ts'
import { accountPage } from './pages/account.ts'
import { activityPage } from './pages/activity.ts'
import { firstSignInPages } from './pages/first-sign-in.ts'
import { forgottenPasswordPages } from './pages/forgotten-password.ts'
import { invitationPages } from './pages/invitation.ts'
import { keysPage } from './pages/keys.ts'
import { membersPage } from './pages/members.ts'
import { signInPages } from './pages/sign-in.ts'
import { signInElsewherePages } from './pages/sign-in-elsewhere.ts'
import { signUpPages } from './pages/sign-up.ts'
import { webhooksPage } from './pages/webhooks.ts'

export function people(app: FastifyInstance, service: Service): void {
  // The server waits for e-mails that are being sent before it ends.
  app.addHook('onClose', () => settle(service))
  formPages(app, service, (pages) => {
    const open = [signInPages, signInElsewherePages, signUpPages, firstSignInPages, invitationPages]
    for (const add of [...open, forgottenPasswordPages]) add(pages, service)
    for (const add of [accountPage, keysPage, membersPage, webhooksPage, activityPage]) add(pages, service)
  })
}
