/** The pages on the way in, signing in and up: each one card, and a browser that the person is known by afterwards. */

import type { FastifyReply } from 'fastify'
import { makeDevice } from '../../../service/people/sessions/device.ts'
import type { Visitor } from '../../../service/people/sessions/find-session.ts'
import type { Service } from '../../../service/service.ts'
import { setCookie } from '../cookies.ts'
import { type Faults, noFaults } from '../fields.ts'
import { type Html, html } from '../html.ts'
import { sendPage, writePage } from '../page.ts'
import { type Exchange, keepSession } from '../visitor.ts'

const deviceMaxAgeS = 400 * 86_400

export function sendGate(
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

/** The browser holds the person's session from now on, and is one in which they have signed in before. */
export function letIn(
  service: Service,
  exchange: Exchange,
  { token, userId }: { readonly token: string; readonly userId: string },
): void {
  keepSession(service, exchange, token)
  const value = makeDevice(service, userId)
  setCookie(service, exchange, { name: 'device', value, maxAgeS: deviceMaxAgeS })
}
