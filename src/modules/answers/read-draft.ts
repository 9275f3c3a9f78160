/** Finds in a draft what can be checked: numbers, amounts, dates, statuses. Names are found with the record. */

import { clauseAround, headerCell, readSentences, type Sentence, type Span } from './draft-text.ts'
import {
  answeredNo,
  answeredUnclear,
  type DraftStatus,
  doubtful,
  lifted,
  negations,
  notStated,
  originally,
  otherThing,
  past,
  statuses,
  type Topic,
  type TopicKind,
  topics,
} from './draft-words.ts'
import { type DraftAmount, findBare, findMeasured } from './read-amounts.ts'
import { type DraftDate, findDates } from './read-dates.ts'

export type DraftReading =
  /** `isSubject`: it is called, or looks like, the number of a container or shipment. */
  | { readonly kind: 'number'; readonly number: string; readonly isSubject: boolean }
  | ({ readonly kind: 'amount' } & DraftAmount)
  | ({ readonly kind: 'date' } & DraftDate)
  /** `isNegated`: null where it is not understood. */
  | { readonly kind: 'status'; readonly status: DraftStatus; readonly isNegated: boolean | null }

export type DraftFact<Reading = DraftReading> = Reading & {
  readonly text: string
  readonly at: number
  readonly sentence: Sentence
  readonly topic: Topic | null
}

export interface ReadDraft {
  readonly facts: readonly DraftFact[]
  readonly sentences: readonly Sentence[]
  /** The draft with `|` in place of what was read, so that names can be sought in the rest. */
  readonly rest: string
}

type Found = Span & { readonly reading: DraftReading }

export function readDraft(draft: string, today: string): ReadDraft {
  let rest = draft
  const found: Found[] = []
  const take = (some: readonly Found[]): void => {
    for (const each of some) {
      found.push(each)
      rest = `${rest.slice(0, each.from)}${'|'.repeat(each.to - each.from)}${rest.slice(each.to)}`
    }
  }
  const toFound = ({ amount, ...span }: Span & { readonly amount: DraftAmount }): Found => ({
    ...span,
    reading: { kind: 'amount', ...amount },
  })
  const lower = lowerCase(draft)
  const sentences = readSentences(draft)
  take(findDates(rest, today).map(({ date, ...span }) => ({ ...span, reading: { kind: 'date', ...date } })))
  take([...findContainers(rest)])
  take([...findMeasured(rest)].map(toFound))
  take([...findNumbers(rest)])
  take([...findBare(rest)].map(toFound))
  take([...findStatuses(lower, sentences)])
  const words = findTopics(lower)
  const dates = found.filter(({ reading }) => reading.kind === 'date')
  const facts = found.flatMap(({ reading, from, to }): readonly DraftFact[] => {
    const sentence = sentences.find((each) => from >= each.from && from < each.to)
    if (sentence === undefined) return []
    const kinds = kindsOfTopics(reading)
    const relevant = words.filter(({ topic }) => kinds.includes(topics[topic][2]))
    const topic = findTopic(lower, sentence, { from, to }, { words: relevant, dates })
    return [{ ...reading, text: draft.slice(from, to), at: from, sentence, topic }]
  })
  return { facts: facts.toSorted((a, b) => a.at - b.at), sentences, rest }
}

/** With the length of the text, so that places in both are the same. */
export function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

const containers = /(?<![\w])([A-Za-z]{3}[UJZujz])[ -]?(\d{3}) ?(\d{3})[ /-]?(\d)(?![\w])/g

function* findContainers(text: string): Generator<Found> {
  for (const { index, 0: whole, 1: owner = '', 2: first, 3: second, 4: digit } of text.matchAll(containers)) {
    const number = `${owner}${first}${second}${digit}`.toUpperCase()
    yield { from: index, to: index + whole.length, reading: { kind: 'number', number, isSubject: true } }
  }
}

const calledNumber =
  /\b(?:container|bill|lading|b\/?l|bol|mbl|booking|shipment)(?: (?:number|no\.?|nr\.?|ref(?:erence)?))?[:#*\s]{0,4}$/i

/** Words of capitals and digits: other numbers, references, voyages, seals. */
function* findNumbers(text: string): Generator<Found> {
  for (const { index, 0: word } of text.matchAll(/(?<![\w-])[A-Z0-9](?:[A-Z0-9._/-]{2,38}[A-Z0-9])(?![\w])/g)) {
    const isNumber = /\d/.test(word) && (/[A-Z]/.test(word) || /^\d{6,}$|^\d[\d-]{6,}\d$/.test(word))
    if (!isNumber) continue
    const isSubject = calledNumber.test(text.slice(Math.max(0, index - 40), index))
    yield { from: index, to: index + word.length, reading: { kind: 'number', number: word, isSubject } }
  }
}

/** So many characters around a status are read for what turns it. */
const nearby = 120

function* findStatuses(lower: string, sentences: readonly Sentence[]): Generator<Found> {
  const all = Object.entries(statuses).flatMap(([status, { words }]) =>
    [...lower.matchAll(words)].map((match) => ({
      status: status as DraftStatus,
      from: match.index,
      to: match.index + match[0].length,
    })),
  )
  let end = 0
  for (const { status, from, to } of all.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const sentence = sentences.find((each) => from >= each.from && from < each.to)
    if (from < end || sentence === undefined || sentence.isQuestion || isHeaderRow(sentence, sentences)) continue
    const clause = clauseAround(lower, sentence, { from, to })
    const before = lower
      .slice(Math.max(clause.from, from - nearby), from)
      .replace(/^.*\b(?:and|but|while|so|because|since)\b/, '')
    const after = lower.slice(to, Math.min(clause.to, to + nearby))
    if (notStated.test(before) || (status === 'available' && otherThing.test(before))) continue
    if (status === 'on_ship' && past.test(before)) continue
    end = to
    yield { from, to, reading: { kind: 'status', status, isNegated: readNegation(before, after) } }
  }
}

function isHeaderRow(sentence: Sentence, sentences: readonly Sentence[]): boolean {
  return sentences.some(({ header }) => header?.from === sentence.from)
}

function readNegation(before: string, after: string): boolean | null {
  const count = before.match(negations)?.length ?? 0
  if (doubtful.test(before) || answeredUnclear.test(after) || count > 1) return null
  const isTurned = answeredNo.test(after) || lifted.test(after)
  return isTurned && count === 1 ? null : isTurned || count === 1
}

type TopicWord = Span & { readonly topic: Topic }

function findTopics(lower: string): readonly TopicWord[] {
  const all = Object.entries(topics).flatMap(([topic, [words]]) =>
    [...lower.matchAll(words)].map(({ index: from, 0: { length } }) => ({
      topic: topic as Topic,
      from,
      to: from + length,
    })),
  )
  let end = 0
  return all
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
    .filter(({ from, to }) => {
      const isFree = from >= end
      if (isFree) end = to
      return isFree
    })
}

function kindsOfTopics(reading: DraftReading): readonly TopicKind[] {
  if (reading.kind === 'date') return ['day']
  if (reading.kind !== 'amount' || reading.units.length === 0) return ['number']
  const [unit = ''] = reading.units
  return unit === 'hours' ? ['day', 'length'] : unit === unit.toUpperCase() ? ['money'] : []
}

/**
 * What a date or number is about: the nearest words before it in its clause, else after it; in a table those of its
 * cell or of the head of its column; else the last before it in the sentence since the date before, else the next.
 */
function findTopic(
  lower: string,
  sentence: Sentence,
  span: Span,
  { words, dates }: { readonly words: readonly TopicWord[]; readonly dates: readonly Span[] },
): Topic | null {
  const within = (from: number, to: number) => words.filter((each) => each.from >= from && each.to <= to)
  const clause = clauseAround(lower, sentence, span)
  const head = headerCell(lower, sentence, span.from)
  const since = dates.findLast(({ to }) => to <= span.from && to > sentence.from)?.to ?? sentence.from
  const until = dates.find(({ from }) => from >= span.to && from < sentence.to)?.from ?? sentence.to
  const begin = Math.max(clause.from, since)
  const found =
    within(begin, span.from).at(-1) ??
    within(span.to, Math.min(clause.to, until))[0] ??
    (head === null ? undefined : within(head.from, head.to).at(-1)) ??
    within(since, span.from).at(-1) ??
    (head === null ? undefined : within(sentence.from, span.from)[0]) ??
    (since === sentence.from ? within(span.to, until)[0] : undefined)
  if (found === undefined) return null
  const isFirst = originally.test(lower.slice(Math.min(begin, found.from), span.to))
  return isFirst && /^(?:eta|arriv)/.test(found.topic) ? 'original' : found.topic
}
