/**
 * The page on which a person allows an app: which app sends the request, where the person is sent, what the app may do,
 * and in which account.
 */

import { type Html, html } from '../../api/http/html.ts'
import type { ProtectedResource } from '../../modules/oauth-apps/protected-resources.ts'
import { tokenScopes } from '../../modules/oauth-apps/token-scopes.ts'
import type { Membership, Visitor } from '../../modules/sessions/find-session.ts'
import { select } from '../../portal-server/page-parts/fields.ts'
import { renderFormTokenField } from '../../portal-server/page-parts/form-field.ts'
import type { RedirectTarget } from '../redirect-target.ts'
import type { ConsentRequest } from './consent-request.ts'
import { summarizeConsent, usableAccounts } from './consent-rights.ts'

export const resourceLabels: Readonly<Record<ProtectedResource, string>> = {
  api: 'the API',
  mcp: 'the tools for agents (MCP)',
  mcp_beside_api: 'the tools for agents (MCP, at the API’s address)',
}

export function writeConsent(
  visitor: Visitor,
  consentRequest: ConsentRequest,
  lifetimes: { readonly grantDays: number; readonly refreshTokenDays: number },
): Html {
  const { app, resources } = consentRequest
  const usable = usableAccounts(visitor, consentRequest)
  const rights = summarizeConsent(consentRequest, usable)
  return html`<section class="gate"><h2>Let ${app.clientName} in?</h2>
<p>You are signed in as ${visitor.user.email}.</p>
<div class="facts"><dl>
<div><dt>It calls itself</dt><dd>${app.clientName}</dd></div>
${consentRequest.publishedAt === null ? null : html`<div><dt>It is described at</dt><dd class="address">${consentRequest.publishedAt}</dd></div>`}
<div><dt>You are sent to</dt><dd class="address">${renderAddress(consentRequest.target)}</dd></div>
<div><dt>It uses</dt><dd>${resources.map(({ resource }) => resourceLabels[resource]).join(', ')}</dd></div>
</dl></div>
${renderWarning(consentRequest.target)}
${
  usable.length === 0
    ? renderNoUsableAccount(visitor)
    : html`<h3>It may then</h3>
<ul class="rights">${rights.may.map((sentence) => html`<li>${sentence}</li>`)}</ul>
<h3>It may not</h3>
<ul class="rights">${rights.mayNot.map((sentence) => html`<li>${sentence}</li>`)}</ul>
<p class="quiet">It stays in, also while you are away, until you shut it out under Connected apps, it is not used for ${formatDays(lifetimes.refreshTokenDays)}, or ${formatDays(lifetimes.grantDays)} have gone by.</p>
${renderForm(visitor, usable, consentRequest)}`
}</section>`
}

/** Highlights the part that identifies the target: the host of a site, or the scheme when it is a private one. */
function renderAddress({ kind, scheme, host, path }: RedirectTarget): Html {
  return kind === 'private'
    ? html`<strong>${scheme}</strong>${host}${path}`
    : html`${scheme}<strong>${host}</strong>${path}`
}

function renderWarning({ kind, scheme, host }: RedirectTarget): Html {
  switch (kind) {
    case 'loopback':
      return html`<p class="fault" role="note">That is a program on this computer. We cannot tell which: go on only if you have just started it yourself.</p>`
    case 'private':
      return html`<p class="fault" role="note">That is no web address. It opens whichever program on this device has claimed <strong>${scheme.replace(/\/*$/, '')}</strong> for itself${host === '' ? null : html`; the name ${host} in it proves nothing`}. Go on only if you have just started this from a program that you know.</p>`
    case 'web':
      return html`<p class="quiet">The name is the app’s own choice. The address is what counts: go on only if you know it.</p>`
  }
}

function renderNoUsableAccount({ formToken, memberships }: Visitor): Html {
  return html`<p class="fault">${
    memberships.length === 0
      ? 'You are not a member of any account, so the app cannot be connected. Ask for an invitation to an account.'
      : 'The app only requests write access, and in your accounts you have only read access. Ask an owner for another role.'
  }</p>
<form method="post" class="stack">${renderFormTokenField(formToken)}<button type="submit" name="decision" value="deny">Back to the app</button></form>`
}

function renderForm({ current, formToken }: Visitor, usable: readonly Membership[], { scopes }: ConsentRequest): Html {
  const chosen = usable.find(({ account }) => account.id === current?.account.id) ?? usable[0]
  return html`<form method="post" class="stack">${renderFormTokenField(formToken)}
${
  usable.length > 1
    ? html`${select({
        name: 'account',
        label: 'Account',
        value: chosen?.account.id ?? '',
        choices: usable.map((each) => ({ value: each.account.id, label: nameOf(each) })),
      })}
<p><label><input type="checkbox" name="all_accounts" value="yes"> All of these accounts; it says which it means, or it means the one above</label></p>`
    : chosen === undefined
      ? null
      : html`<p>In the account <strong>${nameOf(chosen)}</strong>.<input type="hidden" name="account" value="${chosen.account.id}"></p>`
}
${
  scopes.includes(tokenScopes.write) &&
  scopes.includes(tokenScopes.read) &&
  usable.some(({ role }) => role !== 'read_only')
    ? select({
        name: 'access',
        label: 'Access',
        value: 'all',
        choices: [
          { value: 'all', label: 'Everything that your role allows' },
          { value: 'read', label: 'Only see, change nothing' },
        ],
      })
    : null
}
<button type="submit" class="primary" name="decision" value="allow">Let it in</button>
<button type="submit" name="decision" value="deny">Keep it out</button>
</form>`
}

function nameOf({ account, role }: Membership): string {
  return `${account.companyName}${account.isSandbox ? ' (simulated)' : ''}, ${role.replace('_', '-')}`
}

function formatDays(count: number): string {
  return count === 1 ? 'a day' : `${count} days`
}
