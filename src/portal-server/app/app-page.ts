/**
 * The page that starts the app, at every address of it. Without a script it explains what Landfall is, whether it
 * works, and how to continue with the API. It has no data of an account except who is signed in.
 */

import { escapeHtml } from '../../api/http/html.ts'
import type { Visitor } from '../../modules/sessions/find-session.ts'
import type { Config } from '../../platform/config.ts'

const healths = {
  works: 'It works: the database answers.',
  ails: 'It answers, but it cannot do all its work: the log says what to do.',
  away: 'It does not work: the database does not answer.',
} as const

export interface AppPageState {
  readonly health: keyof typeof healths
  /** The signed-in person, in whose name the app then sends its requests. */
  readonly visitor: Visitor | null
  /** The page of the bundle; null when the bundle is not built. */
  readonly page: string | null
}

export function writeAppPage(config: Config, { health, visitor, page }: AppPageState): string {
  const script = page === null ? '' : '<p>This page needs JavaScript, which is off or missing here.</p>\n'
  const withoutScript = `${writeStartPage(config, health)}\n${script}`
  if (page === null) return wrapBarePage(withoutScript)
  return page.replace('<!--session-->', () => writeVisitorMeta(visitor)).replace('<!--noscript-->', () => withoutScript)
}

function writeVisitorMeta(visitor: Visitor | null): string {
  if (visitor === null || visitor.current === null) return ''
  const metas = {
    session: visitor.formToken,
    user: visitor.user.id,
    person: visitor.user.name,
    company: visitor.current.account.companyName,
  }
  return Object.entries(metas)
    .map(([name, content]) => `<meta name="landfall-${name}" content="${escapeHtml(content)}">`)
    .join('\n')
}

function writeStartPage({ server }: Config, health: keyof typeof healths): string {
  const url = server.publicUrl ?? `http://${server.host}:${server.port}`
  const curl = `curl -H "Authorization: Token $API_KEY" ${url}/v2/shipments`
  return `<h1>Landfall</h1>
<p>Ocean shipment tracking that can prove every value it gives. Beta.</p>
<p role="status">${healths[health]}</p>
<p>Everything that the portal shows can be had from the API: <a href="/docs">how</a>, <a href="/v2/openapi.json">OpenAPI</a>,
<a href="/readyz">readiness</a>, <a href="/metrics">metrics</a>, <a href="/sign-in">sign in</a>.</p>
<p>The first API key was printed at the first start and is kept in the data folder as <code>first-api-key</code>. Try:</p>
<pre><code>${escapeHtml(curl)}</code></pre>`
}

function wrapBarePage(body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Landfall</title>
<link rel="icon" href="/portal/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/portal/look.css">
</head>
<body>
<main>
${body}
<p>The portal is not built here. <code>npm start</code> builds it; <code>node tools/build-portal.mjs</code> does only that.</p>
</main>
</body>
</html>
`
}
