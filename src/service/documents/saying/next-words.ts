/** What must be said so that everybody who heard a document hears what it says at present, and nothing else of it. */

import { isSameJson } from '../../../core/values/json-value.ts'
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

/** Words that follow each other within this time keep their order by a number, not by their times. */
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
  const begun = {
    document,
    at,
    person,
    version: last?.version ?? 0,
    order: isClose ? before.word.order + 1 : 0,
    receivedAt: last?.receivedAt ?? now,
  }
  const earlier = last === null ? [] : [...last.earlier, { type: last.type, fields: last.fields }]
  const words: Omit<DocumentWord, 'version' | 'order'>[] = []
  if (gone.length > 0)
    words.push({ ...begun, type: 'unknown', fields: [], numbers: gone, earlier: needed(earlier, begun, now) })
  if (numbers.length > 0) {
    const of = needed(earlier, begun, now, paper)
    words.push({ ...begun, ...paper, numbers, earlier: of })
  }
  return words.map((word, place) => ({
    ...word,
    version: begun.version + place + 1,
    order: begun.order + place,
  }))
}

/**
 * Those earlier papers that have said something which neither the present one nor a later one says. So a document that
 * is corrected a hundred times does not carry a hundred papers.
 */
function needed(
  earlier: readonly SaidPaper[],
  of: Pick<DocumentWord, 'document' | 'receivedAt' | 'order'>,
  now: string,
  present?: SaidPaper,
): readonly SaidPaper[] {
  const keysOf = (paper: SaidPaper) =>
    observe(paper, of, now).stated.map(({ observation: { key, kind } }) => `${kind} ${key}`)
  const said = new Set(present === undefined ? [] : keysOf(present))
  const kept: SaidPaper[] = []
  for (const paper of earlier.toReversed()) {
    const fresh = keysOf(paper).filter((key) => !said.has(key))
    if (fresh.length === 0) continue
    for (const key of fresh) said.add(key)
    kept.push(paper)
  }
  return kept.toReversed()
}
