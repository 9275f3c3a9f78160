/** /account/apps: the apps that a person has let in, and how each is shut out. */

import type { FastifyInstance } from 'fastify'
import { disconnectApp, listApps } from '../../service/oauth/connect-app.ts'
import { tokenScopes } from '../../service/oauth/token-scopes.ts'
import type { Service } from '../../service/service.ts'
import type { Visitor } from '../../service/sessions/find-session.ts'
import type { ListedGrant } from '../../store/oauth-grants.ts'
import { moment } from '../portal/fields.ts'
import { checkForm, formPages, page, readForm } from '../portal/form.ts'
import { formField } from '../portal/form-field.ts'
import { type Html, html } from '../portal/html.ts'
import { sendPage, writePage } from '../portal/page.ts'
import { personOf, requireVisitor } from '../portal/visitor.ts'

const path = '/account/apps'

export function appsPage(app: FastifyInstance, service: Service): void {
  formPages(app, service, (pages) => {
    pages.get(path, page, async (request, reply) => {
      const visitor = await requireVisitor(service, request, reply)
      if (visitor === null) return reply
      const apps = await listApps(service, { userId: visitor.user.id })
      return sendPage(reply, {
        page: writePage({ title: 'Connected apps', visitor, body: writeApps(visitor, apps), current: path }),
      })
    })

    pages.post(`${path}/disconnect`, page, async (request, reply) => {
      const visitor = await requireVisitor(service, request, reply)
      if (visitor === null) return reply
      checkForm(service, request, visitor.formToken)
      await disconnectApp(service, personOf(visitor, request), { id: readForm(request).get('id') })
      return reply.redirect(path, 303)
    })
  })
}

function writeApps({ formToken }: Visitor, apps: readonly ListedGrant[]): Html {
  const rows = apps.map(
    (grant) => html`<tr><td>${grant.clientName}<br><span class="quiet code">${grant.redirectHost}</span></td>
<td>${grant.spansAccounts ? 'All your accounts' : grant.companyName}</td>
<td>${grant.scopes.includes(tokenScopes.write) ? 'sees and changes' : 'sees'}</td>
<td>${moment(grant.createdAt)}</td><td>${moment(grant.lastUsedAt)}</td>
<td><form method="post" action="${path}/disconnect" class="inline">${formField(formToken)}<input type="hidden" name="id" value="${grant.id}"><button type="submit" class="small" aria-label="Disconnect ${grant.clientName}">Disconnect</button></form></td></tr>`,
  )
  return html`<h2>Connected apps</h2>
<p>Apps that you have let in with your name. Each acts with your role, and is out when you are.</p>
${
  rows.length === 0
    ? html`<p class="quiet">None. An app asks by itself when you connect it to this server.</p>`
    : html`<div class="scroll"><table><thead><tr><th scope="col">App</th><th scope="col">Account</th><th scope="col">It</th><th scope="col">Since</th><th scope="col">Last used</th><th scope="col"><span class="unseen">Disconnect</span></th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}`
}
