/** All pages that are written by the server for people: signing in and up, and what they do with their accounts. */

import type { FastifyInstance } from 'fastify'
import { settle } from '../../service/ground/after-answer.ts'
import type { Service } from '../../service/service.ts'
import { formPages } from './form.ts'
import { accountPage } from './pages/account.ts'
import { activityPage } from './pages/activity.ts'
import { forgottenPasswordPages } from './pages/forgotten-password.ts'
import { keysPage } from './pages/keys.ts'
import { membersPage } from './pages/members.ts'
import { signInPages } from './pages/sign-in.ts'
import { signUpPages } from './pages/sign-up.ts'
import { webhooksPage } from './pages/webhooks.ts'

export function people(app: FastifyInstance, service: Service): void {
  // A mail that is on its way is not cut off by the end of the server.
  app.addHook('onClose', () => settle(service))
  formPages(app, service, (pages) => {
    for (const add of [signInPages, signUpPages, forgottenPasswordPages]) add(pages, service)
    for (const add of [accountPage, keysPage, membersPage, webhooksPage, activityPage]) add(pages, service)
  })
}
