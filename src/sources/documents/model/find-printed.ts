/**
 * Finds again on the page what a language model says is printed there. Only letters and digits are compared, and only
 * whole words count, so that no value can be made up or cut out of a longer one.
 */

import type { Word } from '../document.ts'
import type { Run } from '../fields/runs.ts'
import type { PrintedField } from './parse-answer.ts'
import type { PrintedLine } from './printed-lines.ts'

export interface Printed {
  /** As the page has it, not as the model wrote it. */
  readonly text: string
  readonly page: number
  readonly words: readonly Word[]
  readonly run: Run
  /** The words of the same run directly before and after; empty if there is none. */
  readonly before: string
  readonly behind: string
}

/** Letters and digits that stand together in a word. */
interface Token {
  readonly text: string
  readonly word: number
  readonly from: number
  readonly to: number
}

/** The line that the model names first, then the others of its page. Null when it is not printed there. */
export function findPrinted(
  lines: readonly PrintedLine[],
  said: Pick<PrintedField, 'text' | 'page' | 'line'>,
): Printed | null {
  const wanted = plainOf(said.text)
  if (wanted === '') return null
  const ofPage = lines.filter(({ page }) => page === said.page)
  const named = ofPage.filter(({ line }) => line === said.line)
  for (const { runs } of [...named, ...ofPage])
    for (const run of runs) {
      const found = findInRun(run, wanted)
      if (found !== null) return found
    }
  return null
}

function findInRun(run: Run, wanted: string): Printed | null {
  const tokens = tokensOf(run)
  for (const [first, { text }] of tokens.entries()) {
    if (!wanted.startsWith(text)) continue
    const last = lastOf(tokens, first, wanted)
    const found = last === null ? null : cutOut(run, tokens, { first, last })
    if (found !== null) return found
  }
  return null
}

/** Up to which token the tokens make the wanted text. */
function lastOf(tokens: readonly Token[], first: number, wanted: string): number | null {
  let length = 0
  for (let place = first; place < tokens.length; place += 1) {
    const text = tokens[place]?.text ?? ''
    if (!wanted.startsWith(text, length)) return null
    length += text.length
    if (length === wanted.length) return place
  }
  return null
}

function cutOut(
  run: Run,
  tokens: readonly Token[],
  { first, last }: { readonly first: number; readonly last: number },
): Printed | null {
  const [from, to] = [tokens[first], tokens[last]]
  if (from === undefined || to === undefined) return null
  const [before, behind] = [tokens[first - 1], tokens[last + 1]]
  const [start, end] = [run.words[from.word]?.text ?? '', run.words[to.word]?.text ?? '']
  const startsInside = before?.word === from.word
  const endsInside = behind?.word === to.word
  if (startsInside && !isEdge(start.slice(before.to - 1, from.from + 1))) return null
  if (endsInside && !isEdge(end.slice(to.to - 1, behind.from + 1))) return null
  const words = run.words.slice(from.word, to.word + 1)
  const texts = words.map(({ text }) => text)
  // The end first, since both may be in one word.
  if (endsInside) texts[texts.length - 1] = end.slice(0, to.to)
  if (startsInside) texts[0] = (texts[0] ?? '').slice(from.from)
  return {
    text: texts.join(' ').replace(/^[\s:;,|=#]+|[\s:;,|]+$/g, ''),
    page: run.page,
    words,
    run,
    before: run.words[from.word - 1]?.text ?? '',
    behind: run.words[to.word + 1]?.text ?? '',
  }
}

/**
 * Whether a value may begin or end between these signs, the first and last of which are letters or digits: `B/L:MEDU1`
 * has an edge at its colon; `1,234.50`, `14:30` and `AB-12` have none.
 */
function isEdge(signs: string): boolean {
  return /[:#=()[\]|;/]/.test(signs) && !/^\p{N}.*\p{N}$/su.test(signs)
}

function tokensOf(run: Run): readonly Token[] {
  return run.words.flatMap(({ text }, word) =>
    [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map((found) => ({
      text: plainOf(found[0]),
      word,
      from: found.index,
      to: found.index + found[0].length,
    })),
  )
}

function plainOf(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
}
