/** /account/apps: the apps that a person has connected, with a button to disconnect each. */

import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../api/http/html.ts'
import { isUuid } from '../api/http/path-parameters.ts'
import { notFound, ServiceError } from '../modules/errors.ts'
import { disconnectApp, listApps } from '../modules/oauth-apps/connect-app.ts'
import type { ListedGrant } from '../modules/oauth-apps/oauth-grants-sql.ts'
import { tokenScopes } from '../modules/oauth-apps/token-scopes.ts'
import type { Service } from '../modules/service.ts'
import type { Visitor } from '../modules/sessions/find-session.ts'
import { timeElement } from '../portal-server/page-parts/fields.ts'
import { checkForm, formPages, page, readForm } from '../portal-server/page-parts/form.ts'
import { renderFormTokenField } from '../portal-server/page-parts/form-field.ts'
import { sendPage, writePage } from '../portal-server/page-parts/page.ts'
import { personOf, requireVisitor } from '../portal-server/visitor.ts'

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
      const person = personOf(visitor, request)
      const ids = readForm(request).get('id').split(' ').filter(isUuid)
      // Some of these connections may have been ended meanwhile, in another tab.
      const missing: unknown[] = []
      for (const id of ids)
        await disconnectApp(service, person, { id }).catch((error) => missing.push(requireNotFound(error)))
      if (missing.length === ids.length) throw missing[0] ?? notFound('connected app')
      return reply.redirect(path, 303)
    })
  })
}

function requireNotFound(error: unknown): ServiceError {
  if (error instanceof ServiceError && error.code === 'not_found') return error
  throw error
}

/** Agents register again whenever they have lost their registration, so one app may have many connections. */
function writeApps({ formToken }: Visitor, grants: readonly ListedGrant[]): Html {
  const apps = [...Map.groupBy(grants, identifyApp).values()].map((connections, at) =>
    writeApp(formToken, connections, `app-${at + 1}`),
  )
  return html`<h2>Connected apps</h2>
<p>Apps that you have let in with your name. Each acts with your role, and is out when you are.</p>
${apps.length === 0 ? html`<p class="quiet">None. An app asks by itself when you connect it to this server.</p>` : apps}`
}

/**
 * An app that publishes a document is identified by its address; any other app by its name and its redirect target
 * without the port.
 */
function identifyApp({ clientId, clientName, redirectTarget }: ListedGrant): string {
  return clientId.startsWith('https://') ? clientId : `${clientName}\n${formatTargetOrigin(redirectTarget)}`
}

function formatTargetOrigin(target: string): string {
  if (!URL.canParse(target) || !/^[\w.+-]+:\/\//.test(target)) return target.replace(/:\d+$/, '')
  const { protocol, hostname } = new URL(target)
  return `${protocol}//${hostname}`
}

function writeApp(formToken: string, connections: readonly ListedGrant[], id: string): Html | null {
  const [newest] = connections
  if (newest === undefined) return null
  const { clientName: name, clientId } = newest
  const rows = connections.map(
    (grant) => html`<tr><td>${grant.spansAccounts ? 'All your accounts' : grant.companyName}</td>
<td>${grant.scopes.includes(tokenScopes.write) ? 'see and change' : 'see'}</td>
<td>${timeElement(grant.createdAt)}</td><td>${timeElement(grant.lastUsedAt)}</td>
<td>${renderDisconnect(formToken, [grant], { label: 'Disconnect', about: `Disconnect ${name}` })}</td></tr>`,
  )
  const targets = [...new Set(connections.map(({ redirectTarget }) => redirectTarget))]
  return html`<section class="card" aria-labelledby="${id}"><h3 id="${id}">${name}</h3>
<p class="code address">${clientId.startsWith('https://') ? html`${clientId}<br>` : null}${targets.slice(0, 3).join(', ')}${targets.length > 3 ? ` and ${targets.length - 3} more` : null}</p>
<div class="scroll"><table><thead><tr><th scope="col">Account</th><th scope="col">May</th><th scope="col">Since</th><th scope="col">Last used</th><th scope="col"><span class="unseen">Disconnect</span></th></tr></thead>
<tbody>${rows}</tbody></table></div>
${connections.length > 1 ? html`<div class="below">${renderDisconnect(formToken, connections, { label: `Disconnect all ${connections.length}`, about: `Disconnect all ${connections.length} of ${name}` })}</div>` : null}</section>`
}

function renderDisconnect(
  formToken: string,
  grants: readonly ListedGrant[],
  { label, about }: { readonly label: string; readonly about: string },
): Html {
  return html`<form method="post" action="${path}/disconnect" class="inline">${renderFormTokenField(formToken)}<input type="hidden" name="id" value="${grants.map(({ id }) => id).join(' ')}"><button type="submit" class="small" aria-label="${about}">${label}</button></form>`
}
