/**
 * The pages behind the links in alert mails: a reader confirms that they want alerts, or wants no more. A link alone
 * changes nothing, because programs that check mails follow links; the reader presses the button.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html } from '../../api/http/html.ts'
import type { Service } from '../../modules/service.ts'
import { setAddressConsent } from '../../pipeline/notifications/alert-addresses.ts'
import { formPages, page, readParameter } from '../page-parts/form.ts'
import { sendPage, writePage } from '../page-parts/page.ts'

const links = {
  confirm: { wants: true, title: 'Alerts about shipments', button: 'I want these alerts' },
  stop: { wants: false, title: 'No more alerts', button: 'Send no more alerts to this address' },
} as const

export function alertAnswerPages(app: FastifyInstance, service: Service): void {
  formPages(app, service, (pages) => {
    for (const [name, { wants, title, button }] of Object.entries(links)) {
      pages.get(`/alerts/${name}`, page, async (request, reply) =>
        sendPage(reply, {
          status: 200,
          page: writePage({
            title,
            visitor: null,
            body: html`<section class="gate"><h2>${title}</h2>
<form method="post" action="${`/alerts/${name}?token=${encodeURIComponent(tokenOf(request))}`}"><button>${button}</button></form></section>`,
          }),
        }),
      )
      pages.post(`/alerts/${name}`, page, async (request, reply) => {
        const { emailKey, companyName } = await setAddressConsent(service, { token: tokenOf(request), wants })
        const done = wants
          ? `${emailKey} gets alerts of ${companyName} from now on.`
          : `${emailKey} gets no more alerts of ${companyName}.`
        return sendPage(reply, {
          status: 200,
          page: writePage({
            title,
            visitor: null,
            body: html`<section class="gate"><h2>${title}</h2><p>${done}</p></section>`,
          }),
        })
      })
    }
  })
}

function tokenOf(request: FastifyRequest): string {
  return readParameter(request, 'token') ?? ''
}
