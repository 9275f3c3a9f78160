/** Writes a page of docs/ as HTML: its links lead to the guide, and its headings can be linked to. */

import { Marked } from 'marked'
import { escapeHtml, Html } from '../../api/http/html.ts'
import { type GuidePage, slugOf } from './guide-pages.ts'

/** Written once each: the pages do not change while the process runs. */
const written = new WeakMap<GuidePage, { readonly text: Html; readonly about: Html }>()

export function writeGuidePage(page: GuidePage): { readonly text: Html; readonly about: Html } {
  const known = written.get(page)
  if (known !== undefined) return known
  // Links are relative to the folder of the page.
  const place = page.name.slice(0, page.name.lastIndexOf('/') + 1)
  const writer = openWriter(place)
  const write = (markdown: string): Html => new Html(writer.parse(markdown, { async: false }))
  const made = { text: write(page.text), about: write(page.about) }
  written.set(page, made)
  return made
}

function openWriter(place: string): Marked {
  let tables = 0
  return new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text: content }) {
        return `<h${depth} id="${escapeHtml(slugOf(content))}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens)
        const to = addressOf(href, place)
        return to === null ? content : `<a href="${escapeHtml(to)}">${content}</a>`
      },
      image({ href, text: content }) {
        const to = addressOf(href, place)
        return to === null
          ? escapeHtml(content)
          : `<img src="${escapeHtml(to)}" alt="${escapeHtml(content)}" loading="lazy">`
      },
      table(token) {
        const row = (cells: typeof token.header, name: string): string =>
          `<tr>${cells.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join('')}</tr>`
        const head = token.header.some(({ text: content }) => content !== '') ? row(token.header, 'th') : ''
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
        tables += 1
        // A wide table scrolls by itself, by keyboard too. Each has a name of its own for screen readers.
        return `<div class="wide" tabindex="0" role="region" aria-label="Table ${tables}"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`
      },
      code({ text: content }) {
        return `<pre tabindex="0"><code>${escapeHtml(content)}</code></pre>\n`
      },
    },
  })
}

const here = 'https://guide.invalid/docs/'

/** Null for a file of the repository that the guide does not have. */
function addressOf(href: string, place: string): string | null {
  if (/^(https?|mailto):/.test(href) || href.startsWith('#')) return href
  const url = new URL(href, here + place)
  const path = url.pathname.replace(/^\/docs\//, '')
  if (url.pathname === '/README.md' || path === '' || path === 'README.md') return '/docs/guide'
  if (path === 'openapi.json') return '/v2/openapi.json'
  if (!url.pathname.startsWith('/docs/')) return null
  if (path.endsWith('.md')) return `/docs/guide/${path.slice(0, -3)}${url.hash}`
  return path.startsWith('pictures/') ? `/docs/guide/${path}` : null
}
