/**
 * The page on which a person allows an app: which app asks, where the person is sent, what the app may do, and in which
 * account.
 */

import type { ProtectedResource } from '../../../service/people/oauth/protected-resources.ts'
import { tokenScopes } from '../../../service/people/oauth/token-scopes.ts'
import type { Membership, Visitor } from '../../../service/people/sessions/find-session.ts'
import { type Html, html } from '../../http/html.ts'
import { select } from '../../portal/page-parts/fields.ts'
import { formField } from '../../portal/page-parts/form-field.ts'
import type { RedirectTarget } from '../redirect-target.ts'
import type { Ask } from './consent-ask.ts'
import { rightsOf, usableAccounts } from './consent-rights.ts'

export const resourceWords: Readonly<Record<ProtectedResource, string>> = {
  api: 'the API',
  mcp: 'the tools for agents (MCP)',
  mcp_beside_api: 'the tools for agents (MCP, at the API’s address)',
}

export function writeConsent(
  visitor: Visitor,
  ask: Ask,
  lifetimes: { readonly grantDays: number; readonly refreshTokenDays: number },
): Html {
  const { app, resources } = ask
  const usable = usableAccounts(visitor, ask)
  const rights = rightsOf(ask, usable)
  return html`<section class="gate"><h2>Let ${app.clientName} in?</h2>
<p>You are signed in as ${visitor.user.email}.</p>
<div class="facts"><dl>
<div><dt>It calls itself</dt><dd>${app.clientName}</dd></div>
${ask.publishedAt === null ? null : html`<div><dt>It is described at</dt><dd class="address">${ask.publishedAt}</dd></div>`}
<div><dt>You are sent to</dt><dd class="address">${address(ask.target)}</dd></div>
<div><dt>It uses</dt><dd>${resources.map(({ resource }) => resourceWords[resource]).join(', ')}</dd></div>
</dl></div>
${warning(ask.target)}
${
  usable.length === 0
    ? noAccount(visitor)
    : html`<h3>It may then</h3>
<ul class="rights">${rights.may.map((sentence) => html`<li>${sentence}</li>`)}</ul>
<h3>It may not</h3>
<ul class="rights">${rights.mayNot.map((sentence) => html`<li>${sentence}</li>`)}</ul>
<p class="quiet">It stays in, also while you are away, until you shut it out under Connected apps, it is not used for ${days(lifetimes.refreshTokenDays)}, or ${days(lifetimes.grantDays)} have gone by.</p>
${form(visitor, usable, ask)}`
}</section>`
}

/** Highlights the part that identifies the target: the host of a site, or the scheme when it is a private one. */
function address({ kind, scheme, host, path }: RedirectTarget): Html {
  return kind === 'private'
    ? html`<strong>${scheme}</strong>${host}${path}`
    : html`${scheme}<strong>${host}</strong>${path}`
}

function warning({ kind, scheme, host }: RedirectTarget): Html {
  switch (kind) {
    case 'loopback':
      return html`<p class="fault" role="note">That is a program on this computer. We cannot tell which: go on only if you have just started it yourself.</p>`
    case 'private':
      return html`<p class="fault" role="note">That is no web address. It opens whichever program on this device has claimed <strong>${scheme.replace(/\/*$/, '')}</strong> for itself${host === '' ? null : html`; the name ${host} in it proves nothing`}. Go on only if you have just started this from a program that you know.</p>`
    case 'web':
      return html`<p class="quiet">The name is the app’s own choice. The address is what counts: go on only if you know it.</p>`
  }
}

function noAccount({ formToken, memberships }: Visitor): Html {
  return html`<p class="fault">${
    memberships.length === 0
      ? 'You belong to no account, so there is nothing to let it into. Ask to be invited to one.'
      : 'It asks only to change things, and in your accounts you may only look. Ask an owner for another role.'
  }</p>
<form method="post" class="stack">${formField(formToken)}<button type="submit" name="decision" value="deny">Back to the app</button></form>`
}

function form({ current, formToken }: Visitor, usable: readonly Membership[], { scopes }: Ask): Html {
  const chosen = usable.find(({ account }) => account.id === current?.account.id) ?? usable[0]
  return html`<form method="post" class="stack">${formField(formToken)}
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
        label: 'How much of it',
        value: 'all',
        choices: [
          { value: 'all', label: 'All of it, as far as your role goes' },
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
  return `${account.companyName}${account.isFiction ? ' (simulated)' : ''}, ${role.replace('_', '-')}`
}

function days(count: number): string {
  return count === 1 ? 'a day' : `${count} days`
}
