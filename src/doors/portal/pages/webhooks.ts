/**
 * /account/webhooks: where the account's events are sent, how each delivery is made, and with which results. Read only.
 */

import type { FastifyInstance } from 'fastify'
import type { Service } from '../../../service/service.ts'
import { namesOf } from '../../../service/telling/webhooks/event-patterns.ts'
import { listWebhooks } from '../../../service/telling/webhooks/list-webhooks.ts'
import { sentAs } from '../../../service/telling/webhooks/sent-as.ts'
import type { ShownWebhook } from '../../../service/telling/webhooks/webhook-secrets.ts'
import { type Html, html } from '../../http/html.ts'
import { moment } from '../page-parts/fields.ts'
import { page } from '../page-parts/form.ts'
import { sendPage, writePage } from '../page-parts/page.ts'
import { accountContextOf, requireVisitor } from '../visitor.ts'

const path = '/account/webhooks'
const shownMax = 100

export function webhooksPage(pages: FastifyInstance, service: Service): void {
  pages.get(path, page, async (request, reply) => {
    const visitor = await requireVisitor(service, request, reply)
    if (visitor === null) return reply
    const context = accountContextOf(visitor, request)
    const { webhooks, total } = await listWebhooks(service, context, { number: 1, size: shownMax })
    const preset = sentAs(service, { format: null, contentType: null, signatureHeaders: null })
    const body = html`<h2>Webhooks</h2>
<p class="quiet">Changes are sent to these addresses. Your programs make and change them: <a href="/docs">the API</a>, under Webhooks. A webhook that says nothing else is sent <code>${preset.contentType}</code>, with the hex HMAC-SHA256 of the body under ${codes(preset.signatureHeaders)}.</p>
${webhooks.length === 0 ? html`<p class="card quiet">There is no webhook yet.</p>` : listed(webhooks)}
${total > shownMax && html`<p class="quiet">The newest ${shownMax} of ${total}.</p>`}`
    return sendPage(reply, { page: writePage({ title: 'Webhooks', visitor, body, current: path }) })
  })
}

function listed(webhooks: readonly ShownWebhook[]): Html {
  const rows = webhooks.map(
    (webhook) => html`<tr><th scope="row"><code>${webhook.url}</code></th><td>${stateOf(webhook)}</td>
<td>${namesOf(webhook.events).length}</td><td><code>${webhook.sentAs.contentType}</code></td>
<td>${codes(webhook.sentAs.signatureHeaders)}</td></tr>`,
  )
  return html`<section class="card"><div class="scroll"><table><thead><tr><th scope="col">Address</th><th scope="col">State</th><th scope="col">Events</th><th scope="col">Sent as</th><th scope="col">Signature under</th></tr></thead>
<tbody>${rows}</tbody></table></div></section>`
}

function stateOf({ isActive, disabledReason, failingSince }: ShownWebhook): Html {
  if (!isActive)
    return html`off${disabledReason === null ? null : html`<br><span class="quiet">${disabledReason}</span>`}`
  return failingSince === null ? html`on` : html`on, failing since ${moment(failingSince)}`
}

function codes(names: readonly string[]): Html {
  return html`${names.map((name, at) => [at > 0 && html`, `, html`<code>${name}</code>`])}`
}
