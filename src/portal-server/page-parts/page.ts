/**
 * The frame of every page that the server writes: header, the signed-in person, navigation. It has no script at all.
 */

import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../api/http/html.ts'
import type { Visitor } from '../../modules/sessions/find-session.ts'
import { accountPages } from './account-pages.ts'
import { type Faults, noFaults } from './fields.ts'
import { renderFormTokenField } from './form-field.ts'

export interface PageContent {
  readonly title: string
  /** Null when nobody is signed in, or the page does not show who is. */
  readonly visitor: Visitor | null
  readonly body: Html
  /** A style sheet of the page's own, beside those of all pages. */
  readonly style?: string
  /** Which of the account pages this is. */
  readonly current?: string
}

export function writePage({ title, visitor, body, style, current }: PageContent): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Landfall</title>
<link rel="icon" href="/portal/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/portal/look.css">
<link rel="stylesheet" href="/portal/portal.css">
${style === undefined ? null : html`<link rel="stylesheet" href="/portal/${style}">`}
</head>
<body>
<header class="masthead">
<h1><a class="brand" href="/">Landfall</a></h1>
<nav class="end" aria-label="Elsewhere">
<a href="/">Shipments</a>
<a href="/docs">API</a>
<a href="/docs/guide">Guide</a>
${visitor === null ? html`<a href="/sign-in">Sign in</a>` : renderUser(visitor)}
</nav>
</header>
<main>
${visitor === null || current === undefined ? body : signedInBody(visitor, { body, current })}
</main>
</body>
</html>
`
}

function renderUser({ user, formToken }: Visitor): Html {
  return html`<a href="/account">${user.name}</a>
<form method="post" action="/sign-out" class="inline">${renderFormTokenField(formToken)}<button type="submit" class="link">Sign out</button></form>`
}

function signedInBody(visitor: Visitor, { body, current }: { readonly body: Html; readonly current: string }): Html {
  const links = accountPages.filter(({ isFor }) => isFor(visitor.current?.role ?? null))
  return html`<div class="desk">
<aside>
${accountSwitcher(visitor, current)}
<nav aria-label="Account"><ul class="steps">${links.map(
    ({ path, label }) =>
      html`<li><a href="${path}"${path === current ? html` aria-current="page"` : null}>${label}</a></li>`,
  )}</ul></nav>
</aside>
<div class="sheet">${body}</div>
</div>`
}

/** With one account it shows the name, with several a choice. */
function accountSwitcher({ memberships, current, formToken }: Visitor, path: string): Html {
  if (current === null) return html`<p class="quiet">No account</p>`
  const role = current.role.replace('_', '-')
  if (memberships.length === 1)
    return html`<p class="company">${current.account.companyName} <span class="label">${role}</span></p>`
  const options = memberships.map(
    ({ account }) =>
      html`<option value="${account.id}"${account.id === current.account.id ? html` selected` : null}>${account.companyName}${account.isSandbox ? ' (simulated)' : ''}</option>`,
  )
  return html`<form method="post" action="/account/choose" class="field switcher">${renderFormTokenField(formToken)}
<input type="hidden" name="next" value="${path}">
<label for="account">Account, as ${role}</label>
<select id="account" name="account">${options}</select>
<button type="submit" class="small">Switch</button></form>`
}

/** `formAction` names other origins to which a form of this page may lead. */
export function sendPage(
  reply: FastifyReply,
  sent: {
    readonly page: Html
    /** The faults of the form on the page. */
    readonly faults?: Faults
    /** Used instead of the status of the faults. */
    readonly status?: number
    readonly formAction?: readonly string[]
  },
): FastifyReply {
  const { status, retryAfterSeconds } = sent.faults ?? noFaults
  if (retryAfterSeconds !== null) reply.header('retry-after', String(retryAfterSeconds))
  return reply
    .status(sent.status ?? status)
    .headers(pageHeaders(sent.formAction))
    .send(sent.page.text)
}

/** Nobody may store the page or show it in a frame. */
export function pageHeaders(formAction: readonly string[] = []): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    `form-action ${["'self'", ...formAction].join(' ')}`,
    "frame-ancestors 'none'",
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    // Not `no-referrer`, because then browsers send forms with `Origin: null`.
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
  }
}
