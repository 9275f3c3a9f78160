/**
 * HTML as text. All pages are written with this. Every value in a template is escaped, except HTML that was made here.
 */

export class Html {
  readonly text: string
  constructor(words: string) {
    this.text = words
  }
}

export type Part = Html | string | number | null | undefined | false | readonly Part[]

/** `null`, `undefined` and `false` are written as nothing, so that a condition can omit a part. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let written = strings[0] ?? ''
  for (const [at, part] of parts.entries()) written += write(part) + (strings[at + 1] ?? '')
  return new Html(written)
}

function write(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(write).join('')
  return text(String(part))
}

/** Escapes a text for use between tags and in quotes. */
export function text(words: string): string {
  return words.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
