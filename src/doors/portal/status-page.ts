/** `/`: one page that says what this is, whether it works and where to go on. It shows nothing that an account owns. */

import type { FastifyInstance } from 'fastify'
import { isReady } from '../../service/readiness/is-ready.ts'
import type { Service } from '../../service/service.ts'
import { text } from '../api/docs-page.ts'

export function portal(app: FastifyInstance, service: Service): void {
  app.get('/', { config: { isOpen: true }, schema: { hide: true } }, async (_request, reply) => {
    const state = await isReady(service)
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
      .header('cache-control', 'no-store')
      .send(writePage(service, state.database && state.migrations))
  })
}

function writePage({ config }: Service, isWorking: boolean): string {
  const url = config.server.publicUrl ?? `http://${config.server.host}:${config.server.port}`
  const curl = `curl -H "Authorization: Token $API_KEY" ${url}/v2/shipments`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Landfall</title><style>:root{color-scheme:light dark;font:16px/1.6 system-ui,sans-serif}
body{max-width:42rem;margin:0 auto;padding:2rem 1rem}pre{overflow-x:auto;padding:.75rem;border:1px solid #8886}</style></head><body><main>
<h1>Landfall</h1><p>Ocean shipment tracking that can prove every value it gives. Beta.</p>
<p role="status"><strong>${isWorking ? 'It works: the database answers.' : 'It does not work: the database does not answer.'}</strong></p>
<ul><li><a href="/docs">How to use the API</a> (<a href="/v2/openapi.json">OpenAPI</a>)</li>
<li><a href="/readyz">Readiness</a>, <a href="/metrics">metrics</a></li></ul>
<p>The first API key was printed at the first start and is kept in the data folder as <code>first-api-key</code>. Try:</p>
<pre><code>${text(curl)}</code></pre></main></body></html>`
}
