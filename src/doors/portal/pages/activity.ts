/** /account/activity: the audit log of the account, newest first. */

import type { FastifyInstance } from 'fastify'
import { activityPageSize, listActivity } from '../../../service/audit/list-activity.ts'
import type { Service } from '../../../service/service.ts'
import type { Activity } from '../../../store/audit-log.ts'
import { moment } from '../fields.ts'
import { page, readParameter } from '../form.ts'
import { type Html, html } from '../html.ts'
import { sendPage, writePage } from '../page.ts'
import { accountContextOf, requireVisitor } from '../visitor.ts'

const path = '/account/activity'

export function activityPage(pages: FastifyInstance, service: Service): void {
  pages.get(path, page, async (request, reply) => {
    const visitor = await requireVisitor(service, request, reply)
    if (visitor === null) return reply
    const activity = await listActivity(service, accountContextOf(visitor, request), {
      before: readParameter(request, 'before'),
    })
    const last = activity.at(-1)
    const body = html`<h2>Activity</h2>
<p class="quiet">Who changed what, and who signed in. Nothing here can be altered.</p>
<section class="card"><div class="scroll"><table><thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">Changed</th><th scope="col">From</th></tr></thead>
<tbody>${activity.map(row)}</tbody></table></div></section>
${last === undefined || activity.length < activityPageSize ? null : html`<p><a href="${path}?before=${last.id}">Older</a></p>`}`
    return sendPage(reply, { page: writePage({ title: 'Activity', visitor, body, current: path }) })
  })
}

function row({ at, actorType, actorName, action, diff, ip }: Activity): Html {
  const who = actorName ?? (actorType === 'system' ? 'Landfall' : actorType.replace('_', ' '))
  return html`<tr><td>${moment(at)}</td><td>${who}</td><td><code>${action}</code></td><td class="diff">${Object.entries(diff ?? {}).map((each, at) => [at > 0 && html`, `, change(each)])}</td><td class="code">${ip}</td></tr>`
}

function change([name, [before, after]]: readonly [string, readonly [unknown, unknown]]): Html {
  return html`<span>${name}: ${before === null ? null : html`<s>${short(before)}</s> `}${after === null ? null : short(after)}</span>`
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
