/**
 * HTML as text. All pages are written with this. Every value in a template is escaped, except HTML that was made here.
 */

export class Html {
  readonly text: string
  constructor(markup: string) {
    this.text = markup
  }
}

export type HtmlPart = Html | string | number | null | undefined | false | readonly HtmlPart[]

/** `null`, `undefined` and `false` are written as nothing, so that a condition can omit a part. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let written = strings[0] ?? ''
  for (const [at, part] of parts.entries()) written += writeHtmlPart(part) + (strings[at + 1] ?? '')
  return new Html(written)
}

function writeHtmlPart(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(writeHtmlPart).join('')
  return escapeHtml(String(part))
}

/** Escapes a text for use between tags and in quotes. */
export function escapeHtml(raw: string): string {
  return raw.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
