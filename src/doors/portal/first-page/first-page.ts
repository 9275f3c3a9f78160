/**
 * The page at `/` before its script runs: what Landfall is, whether it works, and where to go next. It shows no data of
 * an account.
 */

import type { Config } from '../../../platform/config.ts'
import type { Visitor } from '../../../service/people/sessions/find-session.ts'
import { text } from '../../http/html.ts'

const healths = {
  works: 'It works: the database answers.',
  ails: 'It answers, but it cannot do all its work: the log says what to do.',
  away: 'It does not work: the database does not answer.',
} as const

/** `visitor` is the signed-in person, in whose name the page then sends its requests; null when nobody is signed in. */
export function writeFirstPage(
  { server }: Config,
  state: { readonly health: keyof typeof healths; readonly visitor: Visitor | null },
): string {
  const url = server.publicUrl ?? `http://${server.host}:${server.port}`
  const curl = `curl -H "Authorization: Token $API_KEY" ${url}/v2/shipments`
  const { visitor } = state
  const health = `<p class="health${state.health === 'works' ? '' : ' broken'}" role="status">${healths[state.health]}</p>`
  const isIn = visitor !== null && visitor.current !== null
  const session = isIn ? `\n<meta name="landfall-session" content="${text(visitor.formToken)}">` : ''
  const company = isIn ? ` <small>${text(visitor.current.account.companyName)}</small>` : ''
  const way =
    visitor === null ? '<a href="/sign-in">Sign in</a>' : `<a href="/account">${text(visitor.user.name)}</a>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Landfall</title>${session}
<link rel="icon" href="/portal/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/portal/look.css">
<link rel="stylesheet" href="/portal/portal.css">
<script type="module" src="/portal/main.js"></script>
</head>
<body>
<header class="masthead">
<h1>Landfall</h1>${company}
<p class="motto">Ocean shipment tracking that can prove every value it gives. Beta.</p>
<nav aria-label="Elsewhere">
<a href="/docs">API</a>
<a href="/v2/openapi.json">OpenAPI</a>
<a href="/readyz">Readiness</a>
<a href="/metrics">Metrics</a>
${way}
</nav>
${health}
</header>
<main>
<noscript>
<p>This page tracks numbers and shows journeys with JavaScript, which is off or missing here. Everything that it shows
can be had from the API without it: <a href="/docs">how</a>.</p>
<p>The first API key was printed at the first start and is kept in the data folder as <code>first-api-key</code>. Try:</p>
<pre><code>${text(curl)}</code></pre>
</noscript>
<div id="portal"></div>
<p id="said" class="said" role="status"></p>
</main>
</body>
</html>
`
}
