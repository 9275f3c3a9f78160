/** /account/activity: the audit log of the account, newest first. */

import type { FastifyInstance } from 'fastify'
import { activityPageSize, listActivity } from '../../../service/people/audit/list-activity.ts'
import type { Service } from '../../../service/service.ts'
import type { Activity } from '../../../store/people/audit-log.ts'
import { type Html, html } from '../../http/html.ts'
import { moment } from '../page-parts/fields.ts'
import { page, readParameter } from '../page-parts/form.ts'
import { sendPage, writePage } from '../page-parts/page.ts'
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
<section class="card"><div class="scroll"><table><thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What was done</th><th scope="col">To what</th><th scope="col">Changed</th><th scope="col">From</th></tr></thead>
<tbody>${activity.map(row)}</tbody></table></div></section>
${last === undefined || activity.length < activityPageSize ? null : html`<p><a href="${path}?before=${last.id}">Older</a></p>`}`
    return sendPage(reply, { page: writePage({ title: 'Activity', visitor, body, current: path }) })
  })
}

function row({ at, actorType, actorName, action, targetType, targetName, diff, ip }: Activity): Html {
  const who = actorName ?? (actorType === 'system' ? 'Landfall' : actorType.replace('_', ' '))
  const name = targetName ?? nameIn(diff)
  const changes = Object.entries(diff ?? {}).filter(([field]) => !unshown.includes(field))
  return html`<tr><td>${moment(at)}</td><td>${who}</td><td>${doneWords(action)}<br><code>${action}</code></td>
<td class="diff">${nounWords(targetType)}${name === null ? null : html`<br><strong>${short(name)}</strong>`}</td>
<td class="diff">${changes.length === 0 ? html`<span class="quiet">nothing else</span>` : html`<ul>${changes.map(change)}</ul>`}</td><td class="code">${ip}</td></tr>`
}

/** This id is the name of the field, which is shown anyway. */
const unshown: readonly string[] = ['definitionId']

/** The name of the target. For something that was deleted, the record of the deletion contains the name. */
function nameIn(diff: Activity['diff']): string | null {
  for (const field of ['name', 'url', 'displayName', 'label', 'companyName', 'client']) {
    const found = diff?.[field]?.find((value) => typeof value === 'string')
    if (typeof found === 'string') return found
  }
  return null
}

const nouns: Readonly<Record<string, string>> = {
  api_key: 'API key',
  oauth_grant: 'Connected app',
  membership: 'Member',
  user: 'Person',
  webhook_notification: 'Notification',
}

function nounWords(noun: string): string {
  return nouns[noun] ?? capital(words(noun))
}

/** `api_key.deleted` becomes "API key: deleted". */
function doneWords(action: string): string {
  const [noun = '', verb = ''] = action.split('.', 2)
  return `${nounWords(noun)}: ${words(verb)}`
}

/** `companyName` and `company_name` become "company name". */
function words(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ')
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

function change([name, [before, after]]: readonly [string, readonly [unknown, unknown]]): Html {
  const was = isNothing(before) ? null : html`<s>${short(before)}</s>`
  const is = isNothing(after) ? (was === null ? 'none' : null) : short(after)
  return html`<li>${words(name)}: ${was}${was !== null && is !== null && ' → '}${is}</li>`
}

function isNothing(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function short(value: unknown): string {
  const text = Array.isArray(value) ? value.map(plain).join(', ') : plain(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

function plain(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
