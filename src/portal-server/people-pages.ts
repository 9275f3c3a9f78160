/** All pages that the server writes for people: sign-in, sign-up, and what belongs to a person alone. */

import type { FastifyInstance } from 'fastify'
import type { Service } from '../modules/service.ts'
import { drainJobs } from '../pipeline/jobs/after-answer.ts'
import { formPages } from './page-parts/form.ts'
import { accountPage } from './pages/account.ts'
import { firstSignInPages } from './pages/first-sign-in.ts'
import { forgottenPasswordPages } from './pages/forgotten-password.ts'
import { invitationPages } from './pages/invitation.ts'
import { movedPages } from './pages/moved-pages.ts'
import { signInPages } from './pages/sign-in.ts'
import { signInElsewherePages } from './pages/sign-in-elsewhere.ts'
import { signUpPages } from './pages/sign-up.ts'

export function peoplePages(app: FastifyInstance, service: Service): void {
  // The server waits for e-mails that are being sent before it ends.
  app.addHook('onClose', () => drainJobs(service))
  formPages(app, service, (pages) => {
    const open = [signInPages, signInElsewherePages, signUpPages, firstSignInPages, invitationPages]
    for (const add of [...open, forgottenPasswordPages, accountPage]) add(pages, service)
    movedPages(pages)
  })
}
