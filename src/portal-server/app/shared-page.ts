/**
 * /shared/:token: the page to which a share link leads. It shows the widget, which reads the data with the same token.
 * Sites that the link names may show the page in a frame.
 */

import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../../api/http/html.ts'
import { readPathParameter } from '../../api/http/path-parameters.ts'
import type { Service } from '../../modules/service.ts'
import { openShareLink, type ShareAccess } from '../../modules/share-links/open-share-link.ts'

const open = { config: { isOpen: true }, schema: { hide: true } } as const

export function sharedPage(app: FastifyInstance, service: Service): void {
  app.get('/shared/:token', open, async (request, reply) => {
    const token = readPathParameter(request.params, 'token')
    // No cache and no search engine stores it, and links on the page do not send the token to other sites.
    reply.headers({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    const share = await openShareLink(service, { token, address: request.ip, requestId: request.id })
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyFor(share),
      })
      .send(writePage(token, share))
  })
}

function policyFor({ link }: ShareAccess): string {
  return [
    "default-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'none'",
    `frame-ancestors ${link.allowedOrigins.length === 0 ? "'none'" : link.allowedOrigins.join(' ')}`,
  ].join('; ')
}

function writePage(token: string, { link }: ShareAccess): string {
  const company = link.companyName ?? 'Landfall'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(company)}: shipments</title>
<link rel="icon" href="/portal/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/portal/look.css">
<link rel="stylesheet" href="/portal/shared.css">
<script type="module" src="/portal/widget.js"></script>
</head>
<body>
<main>
<h1>${escapeHtml(company)}</h1>
<noscript><p>This page needs JavaScript, which is off or missing here. The data alone is at
<a href="/v2/shared/${encodeURIComponent(token)}">its own address</a>.</p></noscript>
<landfall-shipment share="${escapeHtml(token)}" head="none"></landfall-shipment>
</main>
</body>
</html>
`
}
