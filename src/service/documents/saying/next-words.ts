/** What must be said so that everybody who heard a document hears what it says at present, and nothing else of it. */

import { isSameJson } from '../../../core/values/json-value.ts'
import { laterOf } from '../../../core/values/time.ts'
import { numbersSaid } from '../../../sources/documents/said/numbers.ts'
import { observe } from '../../../sources/documents/said/observe.ts'
import type { DocumentWord, SaidPaper } from '../../../sources/documents/said/word.ts'

export interface SaidBefore {
  readonly word: DocumentWord
  /** On the clock of the account's journeys. */
  readonly saidAt: string
}

export interface Saying {
  readonly document: string
  /** Nothing is left of a deleted document: no fields. */
  readonly paper: SaidPaper
  readonly person: DocumentWord['person']
  readonly at: string | null
  /** On the clock of the account's journeys. */
  readonly now: string
}

/** Words that follow each other within this time may have come at one moment, so that their times tell no order. */
const closeMs = 1_000

/**
 * None when the document says what it said, or when nobody could be meant. Two when it names other numbers than before:
 * first to those that it does not name any more that it says nothing of them.
 */
export function nextWords(before: SaidBefore | null, saying: Saying): readonly DocumentWord[] {
  const { document, paper, person, at, now } = saying
  const last = before?.word ?? null
  if (isSameJson({ type: last?.type, fields: last?.fields }, paper)) return []
  const numbers = numbersSaid(paper)
  const isNamed = (number: DocumentWord['numbers'][number]) =>
    numbers.some((each) => each.kind === number.kind && each.number === number.number)
  const isSilent = last === null || last.fields.length === 0
  const gone = isSilent ? [] : last.numbers.filter((number) => !isNamed(number))
  const isClose = before !== null && Date.parse(now) < Date.parse(before.saidAt) + closeMs
  const common = { document, at, person, receivedAt: last?.receivedAt ?? now }
  const version = (last?.version ?? 0) + 1
  const after = isClose ? latestOf(before.word, now) : null
  const earlier = last === null ? [] : [...last.earlier, { type: last.type, fields: last.fields }]
  const nothing: SaidPaper = { type: 'unknown', fields: [] }
  const farewell: DocumentWord = {
    ...common,
    ...nothing,
    version,
    after,
    numbers: gone,
    earlier: needed(nothing, earlier, { ...common, after, now }),
  }
  if (numbers.length === 0) return gone.length === 0 ? [] : [farewell]
  const first = { version, after }
  const second = { version: version + 1, after: latestOf(farewell, now) }
  const place = gone.length === 0 ? first : second
  const present = needed(paper, earlier, { ...common, ...place, now })
  const word: DocumentWord = { ...common, ...paper, ...place, numbers, earlier: present }
  return gone.length === 0 ? [word] : [farewell, word]
}

/** The latest moment at which any statement of the word was made. */
function latestOf(word: DocumentWord, now: string): string {
  const papers = [word, ...word.earlier]
  return papers.map((paper) => observe(paper, word, now).statedAt).reduce(laterOf)
}

/**
 * Those earlier papers that have said something which neither the present one nor a later one says. So a document that
 * is corrected a hundred times does not carry a hundred papers.
 */
function needed(
  present: SaidPaper,
  earlier: readonly SaidPaper[],
  of: Pick<DocumentWord, 'document' | 'receivedAt' | 'after'> & { readonly now: string },
): readonly SaidPaper[] {
  const keysOf = (paper: SaidPaper) =>
    observe(paper, of, of.now).stated.map(({ observation: { key, kind } }) => `${kind} ${key}`)
  const said = new Set(keysOf(present))
  const kept: SaidPaper[] = []
  for (const paper of earlier.toReversed()) {
    const fresh = keysOf(paper).filter((key) => !said.has(key))
    if (fresh.length === 0) continue
    for (const key of fresh) said.add(key)
    kept.push(paper)
  }
  return kept.toReversed()
}
