/** The page on which a person lets an app in: who asks, where they are sent, what it may do, and in which account. */

import type { ProtectedResource } from '../../service/access/protected-resources.ts'
import { tokenScopes } from '../../service/oauth/token-scopes.ts'
import type { Visitor } from '../../service/sessions/find-session.ts'
import { select } from '../portal/fields.ts'
import { formField } from '../portal/form-field.ts'
import { type Html, html } from '../portal/html.ts'
import type { Ask } from './consent-ask.ts'

export const scopeWords: Readonly<Record<string, string>> = {
  [tokenScopes.read]: 'See your shipments, containers and tracking requests',
  [tokenScopes.write]: 'Track numbers, stop tracking, and change references and other fields',
}

export const resourceWords: Readonly<Record<ProtectedResource, string>> = {
  api: 'the API',
  mcp: 'the tools for agents (MCP)',
  mcp_beside_api: 'the tools for agents (MCP, at the API’s address)',
}

export function writeConsent(visitor: Visitor, ask: Ask): Html {
  const { app, scopes, resources } = ask
  return html`<section class="gate"><h2>Let ${app.clientName} in?</h2>
<p>You are signed in as ${visitor.user.email}.</p>
<div class="facts"><dl>
<div><dt>It calls itself</dt><dd>${app.clientName}</dd></div>
${ask.publishedAt === null ? null : html`<div><dt>It is described at</dt><dd class="code">${ask.publishedAt}</dd></div>`}
<div><dt>You are sent to</dt><dd><strong>${app.redirectHost}</strong></dd></div>
<div><dt>It uses</dt><dd>${resources.map(({ resource }) => resourceWords[resource]).join(', ')}</dd></div>
</dl></div>
${
  ask.isLoopback
    ? html`<p class="fault" role="note">That is a program on this computer. We cannot tell which: go on only if you have just started it yourself.</p>`
    : html`<p class="quiet">The name is the app’s own choice. The address is what counts: go on only if you know it.</p>`
}
<p>It asks to:</p>
<ul>${scopes.map((word) => html`<li>${scopeWords[word] ?? word}</li>`)}</ul>
${visitor.memberships.length === 0 ? noAccount(visitor) : form(visitor, ask)}</section>`
}

function noAccount({ formToken }: Visitor): Html {
  return html`<p class="fault">You belong to no account, so there is nothing to let it into. Ask to be invited to one.</p>
<form method="post" class="stack">${formField(formToken)}<button type="submit" name="decision" value="deny">Back to the app</button></form>`
}

function form({ memberships, current, formToken }: Visitor, { scopes }: Ask): Html {
  const choices = memberships.map(({ account, role }) => ({
    value: account.id,
    label: `${account.companyName}${account.isFiction ? ' (simulated)' : ''}, ${role.replace('_', '-')}`,
  }))
  const several = memberships.length > 1
  return html`<form method="post" class="stack">${formField(formToken)}
${select({ name: 'account', label: 'Account', value: current?.account.id ?? '', choices })}
${several ? html`<p><label><input type="checkbox" name="all_accounts" value="yes"> All my accounts; it says which it means, or it means the one above</label></p>` : null}
${
  scopes.includes(tokenScopes.write)
    ? select({
        name: 'access',
        label: 'What it may do',
        value: 'all',
        choices: [
          { value: 'all', label: 'All that it asks for, as far as your role goes' },
          { value: 'read', label: 'Only see, change nothing' },
        ],
      })
    : null
}
<button type="submit" class="primary" name="decision" value="allow">Let it in</button>
<button type="submit" name="decision" value="deny">Keep it out</button>
</form>
<p class="quiet">You can shut it out again at any time, under Connected apps.</p>`
}
