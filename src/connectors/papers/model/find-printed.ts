/**
 * Finds on the page the texts that a language model reports as printed there. Only letters and digits are compared, and
 * only whole words count, so that no value can be made up or cut out of a longer one.
 */

import type { Word } from '../document.ts'
import type { TextRun } from '../fields/runs.ts'
import type { PrintedField } from './parse-answer.ts'
import type { PrintedLine } from './printed-lines.ts'

export interface PrintedMatch {
  /** As the page has it, not as the model wrote it. */
  readonly text: string
  readonly page: number
  readonly words: readonly Word[]
  readonly run: TextRun
  /** The words of the same run directly before and after; empty if there is none. */
  readonly before: string
  readonly behind: string
}

/** Letters and digits that are together in a word. */
interface Token {
  readonly text: string
  readonly wordIndex: number
  readonly from: number
  readonly to: number
}

/** The line that the model names first, then the others of its page. Null when it is not printed there. */
export function findPrinted(
  lines: readonly PrintedLine[],
  printedField: Pick<PrintedField, 'text' | 'page' | 'line'>,
): PrintedMatch | null {
  const wanted = toLettersAndDigits(printedField.text)
  if (wanted === '') return null
  const ofPage = lines.filter(({ page }) => page === printedField.page)
  const named = ofPage.filter(({ line }) => line === printedField.line)
  for (const { runs } of [...named, ...ofPage])
    for (const run of runs) {
      const found = findInRun(run, wanted)
      if (found !== null) return found
    }
  return null
}

function findInRun(run: TextRun, wanted: string): PrintedMatch | null {
  const tokens = tokensOf(run)
  for (const [first, { text }] of tokens.entries()) {
    if (!wanted.startsWith(text)) continue
    const last = lastOf(tokens, first, wanted)
    const found = last === null ? null : makePrintedMatch(run, tokens, { first, last })
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

function makePrintedMatch(
  run: TextRun,
  tokens: readonly Token[],
  { first, last }: { readonly first: number; readonly last: number },
): PrintedMatch | null {
  const [from, to] = [tokens[first], tokens[last]]
  if (from === undefined || to === undefined) return null
  const [before, behind] = [tokens[first - 1], tokens[last + 1]]
  const [start, end] = [run.words[from.wordIndex]?.text ?? '', run.words[to.wordIndex]?.text ?? '']
  const startsInside = before?.wordIndex === from.wordIndex
  const endsInside = behind?.wordIndex === to.wordIndex
  if (startsInside && !isEdge(start.slice(before.to - 1, from.from + 1))) return null
  if (endsInside && !isEdge(end.slice(to.to - 1, behind.from + 1))) return null
  const words = run.words.slice(from.wordIndex, to.wordIndex + 1)
  const texts = words.map(({ text }) => text)
  // The end first, since both may be in one word.
  if (endsInside) texts[texts.length - 1] = end.slice(0, to.to)
  if (startsInside) texts[0] = (texts[0] ?? '').slice(from.from)
  return {
    text: texts.join(' ').replace(/^[\s:;,|=#]+|[\s:;,|]+$/g, ''),
    page: run.page,
    words,
    run,
    before: run.words[from.wordIndex - 1]?.text ?? '',
    behind: run.words[to.wordIndex + 1]?.text ?? '',
  }
}

/**
 * Whether a value may begin or end between these signs, the first and last of which are letters or digits: `B/L:MEDU1`
 * has an edge at its colon; `1,234.50`, `14:30` and `AB-12` have none.
 */
function isEdge(signs: string): boolean {
  return /[:#=()[\]|;/]/.test(signs) && !/^\p{N}.*\p{N}$/su.test(signs)
}

function tokensOf(run: TextRun): readonly Token[] {
  return run.words.flatMap(({ text }, wordIndex) =>
    [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map((found) => ({
      text: toLettersAndDigits(found[0]),
      wordIndex,
      from: found.index,
      to: found.index + found[0].length,
    })),
  )
}

function toLettersAndDigits(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
}
