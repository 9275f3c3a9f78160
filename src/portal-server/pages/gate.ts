/** The pages for sign-in and sign-up: one card each; and the cookies that a browser has after the sign-in. */

import type { FastifyReply } from 'fastify'
import { setCookie } from '../../api/http/cookies.ts'
import type { Exchange } from '../../api/http/exchange.ts'
import { type Html, html } from '../../api/http/html.ts'
import type { Service } from '../../modules/service.ts'
import { makeDevice } from '../../modules/sessions/device.ts'
import type { Visitor } from '../../modules/sessions/find-session.ts'
import { type Faults, noFaults } from '../page-parts/fields.ts'
import { sendPage, writePage } from '../page-parts/page.ts'
import { storeSession } from '../visitor.ts'

const deviceMaxAgeS = 400 * 86_400

export function sendAuthPage(
  { reply }: Exchange,
  {
    title,
    visitor = null,
    body,
    faults = noFaults,
  }: {
    readonly title: string
    readonly visitor?: Visitor | null
    readonly body: Html
    readonly faults?: Faults
  },
): FastifyReply {
  const page = writePage({ title, visitor, body: html`<section class="gate">${body}</section>` })
  return sendPage(reply, { faults, page })
}

/** Gives the browser the person's session, and the cookie that shows that the person has signed in with it before. */
export function startBrowserSession(
  service: Service,
  exchange: Exchange,
  { token, userId }: { readonly token: string; readonly userId: string },
): void {
  storeSession(service, exchange, token)
  const value = makeDevice(service, userId)
  setCookie(service, exchange, { name: 'device', value, maxAgeS: deviceMaxAgeS })
}
