/** /docs/guide: the pages of docs/ to read and to search, of the version that runs here. Nothing of it needs a script. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../api/errors/problem.ts'
import { type Html, html } from '../../api/http/html.ts'
import { writePage } from '../page-parts/page.ts'
import type { writeGuidePage } from './guide-markdown.ts'
import { type Guide, type GuidePage, readGuide, readPicture } from './guide-pages.ts'
import { searchGuide } from './guide-search.ts'
import { movedPages } from './moved-pages.ts'

const open = { config: { isOpen: true }, schema: { hide: true } } as const
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export function guidePages(app: FastifyInstance): void {
  app.get('/docs/guide', open, async (request, reply) => {
    const question = questionOf(request)
    const all = readGuide()
    const body = question === '' ? writeIndex(all, await openWriter()) : writeFound(all, question)
    return send(reply, {
      title: question === '' ? 'Guide' : `${question} · Guide`,
      body: withSearch(question, body),
    })
  })

  app.get('/docs/guide/pictures/:file', open, async (request, reply) => {
    const { file } = request.params as { readonly file: string }
    const picture = readPicture(file)
    if (picture === null) throw noPage()
    return reply
      .headers({ 'content-type': picture.contentType, 'content-security-policy': contentSecurityPolicy })
      .send(picture.bytes)
  })

  const sendPage = async (reply: FastifyReply, name: string): Promise<FastifyReply> => {
    const all = readGuide()
    const page = all.pages.get(name)
    const moved = movedPages.get(name)
    if (moved !== undefined) return reply.redirect(`/docs/guide/${moved}`, 308)
    if (page === undefined) throw noPage()
    const write = await openWriter()
    const body = html`<nav class="ways" aria-label="Guide"><a href="/docs/guide">All pages</a></nav>
<article class="guide-page"><h2>${page.title}</h2>
${write(page).text}</article>`
    return send(reply, { title: `${page.title} · Guide`, body: withSearch('', body) })
  }
  app.get('/docs/guide/:name', open, (request, reply) =>
    sendPage(reply, (request.params as { readonly name: string }).name),
  )
  app.get('/docs/guide/decisions/:name', open, (request, reply) =>
    sendPage(reply, `decisions/${(request.params as { readonly name: string }).name}`),
  )
}

/** The reader of Markdown is loaded with the first page, and not at the start of the server. */
async function openWriter(): Promise<typeof writeGuidePage> {
  const { writeGuidePage: write } = await import('./guide-markdown.ts')
  return write
}

function questionOf({ query }: FastifyRequest): string {
  const { q } = query as { readonly q?: unknown }
  return typeof q === 'string' ? q.trim().slice(0, 100) : ''
}

function noPage(): Problem {
  return new Problem('not_found', { detail: 'The guide has no such page. All pages are at /docs/guide.' })
}

function send(reply: FastifyReply, { title, body }: { readonly title: string; readonly body: Html }): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-cache',
    })
    .send(writePage({ title, visitor: null, body: html`<div class="guide">${body}</div>`, style: 'guide.css' }).text)
}

function withSearch(question: string, body: Html): Html {
  return html`<form action="/docs/guide" role="search" class="guide-search"><label for="q">Search the guide</label>
<input id="q" name="q" type="search" value="${question}" maxlength="100"><button type="submit">Search</button></form>
${body}`
}

function writeIndex({ groups }: Guide, write: typeof writeGuidePage): Html {
  return html`<h2>Guide</h2>${groups.map(
    ({ title, pages }) =>
      html`<section><h3>${title}</h3><ul class="guide-list">${pages.map((page) => writeEntry(page, write))}</ul></section>`,
  )}`
}

function writeEntry(page: GuidePage, write: typeof writeGuidePage): Html {
  const isRecord = page.name.startsWith('decisions/')
  return html`<li><a href="/docs/guide/${page.name}">${page.title}</a>${isRecord ? null : write(page).about}</li>`
}

function writeFound(all: Guide, question: string): Html {
  const found = searchGuide(all, question)
  if (found.length === 0)
    return html`<h2>Nothing found</h2><p>No section has all of these words. Try fewer words, or <a href="/docs/guide">all pages</a>.</p>`
  return html`<h2>${found.length} sections</h2><ul class="guide-list">${found.map(
    ({ page, heading, anchor, excerpt }) =>
      html`<li><a href="/docs/guide/${page.name}${anchor === '' ? '' : `#${anchor}`}">${page.title}${heading === '' ? '' : ` · ${heading}`}</a><p>… ${excerpt} …</p></li>`,
  )}</ul>`
}
