/** Finds the labels on a page and, for each, the possible places of its value: behind it, to its right, or below it. */

import type { ReadableType, Word } from '../document.ts'
import { type FieldLabels, fieldLabels } from './labels.ts'
import { findContainers } from './numbers.ts'
import type { Layout, TextRun } from './runs.ts'

export interface Candidate {
  readonly field: string
  readonly kind: FieldLabels['kind']
  readonly label: string
  /** Words of the value, on one page. */
  readonly words: readonly Word[]
  readonly page: number
  /** How sure it is that these words belong to the label, 0 to 1. */
  readonly nearness: number
}

interface Token {
  readonly text: string
  /** Place of its word in the run. */
  readonly wordIndex: number
  /** A colon or a similar mark follows: the next words are the value. */
  readonly isMarked: boolean
}

export interface LabelMatch {
  readonly of: FieldLabels
  readonly label: string
  readonly from: number
  /** Words of the run up to here are the label; the next is the value's. */
  readonly to: number
  readonly isMarked: boolean
}

/** A value below is at most this many heights of the label's print away. */
const belowMax = 3.4
/** To the right: as a share of the page's width. */
const rightMax = 0.42

export function findLabelled(layout: Layout, type: ReadableType | null): readonly Candidate[] {
  const found = new Map(layout.runs.map((run) => [run, labelsIn(run, type)]))
  const inTable = makeColumnHeadingCheck(layout)
  const startsWithLabel = (run: TextRun): boolean => found.get(run)?.[0]?.from === 0
  return layout.runs.flatMap((run) =>
    (found.get(run) ?? []).flatMap((label, place, all): readonly Candidate[] => {
      const of = { field: label.of.field, kind: label.of.kind, label: label.label }
      const make = (words: readonly Word[], nearness: number): Candidate => ({
        ...of,
        words,
        page: run.page,
        nearness: nearness * scoreLabel(label),
      })
      const behind = run.words.slice(label.to, all[place + 1]?.from)
      if (behind.length > 0) return [make(behind, label.isMarked ? 0.97 : 0.8)]
      if (place < all.length - 1) return []
      const right = findRight(layout, run, startsWithLabel)
      const isInRows = right !== null && isRowOfTable(layout, { label: run, value: right }, startsWithLabel)
      const below = isInRows ? null : findBelow(layout, run, startsWithLabel)
      const isBelowFirst = below !== null && !label.isMarked && below.isAligned
      return [
        ...(right === null ? [] : [make(right.words, isBelowFirst ? 0.72 : 0.92)]),
        ...(below === null
          ? []
          : [make(below.run.words, belowNearness(below, label) * (inTable(run, below.run) ? 0.5 : 1))]),
      ]
    }),
  )
}

function belowNearness({ isAligned }: { readonly isAligned: boolean }, { isMarked }: LabelMatch): number {
  if (!isAligned) return 0.7
  return isMarked ? 0.84 : 0.93
}

/** Whether a label is the heading of a column of containers: the text below it belongs to one container, not to all. */
function makeColumnHeadingCheck(layout: Layout): (label: TextRun, below: TextRun) => boolean {
  const containerLines = new Set(
    [...layout.lines].flatMap(([page, lines]) =>
      lines.flatMap((line, place) =>
        line.some(({ words }) => findContainers(words.map(({ text }) => text)).length > 0) ? [`${page} ${place}`] : [],
      ),
    ),
  )
  return (label, below) =>
    (containerLines.has(`${below.page} ${below.line}`) || hasContainerHeading(layout, label)) &&
    (layout.lines.get(label.page)?.[label.line]?.length ?? 0) > 1
}

/** Beside `Container No` there are headings of columns, also where no container number below could be read. */
function hasContainerHeading(layout: Layout, { page, line }: TextRun): boolean {
  const runs = layout.lines.get(page)?.[line] ?? []
  return (
    runs.length >= 3 &&
    runs.some(({ text }) =>
      /^(?:container|cntr|ctr|equipment|unit)s?(?: no| nos| nr| number| numbers)?$/.test(plainWords(text).join(' ')),
    )
  )
}

/** A label of several words is hardly ever anything else; a single one may be part of a sentence. */
function scoreLabel({ label, isMarked }: LabelMatch): number {
  return isMarked || label.includes(' ') ? 1 : 0.95
}

/** Labels of a run, from left to right, the longest first at each place. */
export function labelsIn(run: TextRun, type: ReadableType | null): readonly LabelMatch[] {
  const tokens = tokensOf(run)
  const found: LabelMatch[] = []
  for (let from = 0; from < tokens.length; ) {
    const label = labelAt(tokens, from, type)
    if (label === null) from += 1
    else {
      found.push(label.at)
      from = label.next
    }
  }
  return found
}

function labelAt(
  tokens: readonly Token[],
  from: number,
  type: ReadableType | null,
): { readonly at: LabelMatch; readonly next: number } | null {
  for (let count = Math.min(wordsMax, tokens.length - from); count > 0; count -= 1) {
    const candidateTokens = tokens.slice(from, from + count)
    const label = candidateTokens.map(({ text }) => text).join(' ')
    const of = labelled.get(label)?.find(({ on }) => type === null || on.includes(type))
    if (of === undefined) continue
    const last = candidateTokens.at(-1)
    const after = tokens[from + count]
    if (last === undefined || after?.wordIndex === last.wordIndex) continue
    const isMarked = last.isMarked
    // Within a run only a marked text is a label: `Port of discharge` may be in the middle of a sentence.
    if (from > 0 && !isMarked) continue
    // Without a mark, words behind a single word make a name or a sentence of it: `Pier Nine`, `Bill to order`.
    const behind = tokens.slice(from + count)
    if (!isMarked && behind.length > 0 && count === 1 && !behind.some(({ text }) => /\d/.test(text))) continue
    return {
      at: { of, label, from: candidateTokens[0]?.wordIndex ?? 0, to: last.wordIndex + 1, isMarked },
      next: from + count,
    }
  }
  return null
}

const labelled: ReadonlyMap<string, readonly FieldLabels[]> = (() => {
  const map = new Map<string, FieldLabels[]>()
  for (const of of fieldLabels) for (const label of of.labels) map.set(label, [...(map.get(label) ?? []), of])
  // A rule for some kinds of documents has priority over a rule for all.
  for (const list of map.values()) list.sort((one, other) => one.on.length - other.on.length)
  return map
})()
const wordsMax = Math.max(...[...labelled.keys()].map((label) => label.split(' ').length))

function tokensOf({ words }: TextRun): readonly Token[] {
  return words.flatMap(({ text }, wordIndex) => {
    const isMarked = /[:#]$|[:#]\s*$|\.:$/.test(text)
    return plainWords(text).map((each) => ({ text: each, wordIndex, isMarked }))
  })
}

/** Lower-case letters and digits, split at all other signs: `B/L` is `b l`. */
export function plainWords(text: string): readonly string[] {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')
}

function findRight(layout: Layout, run: TextRun, isLabel: (run: TextRun) => boolean): TextRun | null {
  const line = layout.lines.get(run.page)?.[run.line] ?? []
  const next = line[line.indexOf(run) + 1]
  if (next === undefined || isLabel(next) || next.box.left - run.box.right > rightMax) return null
  return next
}

/** Whether the next or the last row has another label and its value at the same places: what is below is a label, too. */
function isRowOfTable(
  layout: Layout,
  { label, value }: { readonly label: TextRun; readonly value: TextRun },
  isLabel: (run: TextRun) => boolean,
): boolean {
  const lines = layout.lines.get(label.page) ?? []
  const isAt = (one: TextRun | undefined, other: TextRun): boolean =>
    one !== undefined && Math.abs(one.box.left - other.box.left) < 0.01
  return [...lines.slice(Math.max(0, label.line - 2), label.line), ...lines.slice(label.line + 1, label.line + 3)].some(
    (line) =>
      line.some((each, place) => {
        const beside = line[place + 1]
        return isAt(each, label) && isLabel(each) && isAt(beside, value) && beside !== undefined && !isLabel(beside)
      }),
  )
}

function findBelow(
  layout: Layout,
  run: TextRun,
  isLabel: (run: TextRun) => boolean,
): { readonly run: TextRun; readonly isAligned: boolean } | null {
  const print = run.box.bottom - run.box.top
  const lines = layout.lines.get(run.page) ?? []
  for (const line of lines.slice(run.line + 1, run.line + 8)) {
    const under = line.filter(
      ({ box }) =>
        box.top > run.box.top + print * 0.5 &&
        box.top - run.box.bottom < belowMax * print &&
        box.left < run.box.right + 0.01 &&
        box.right > run.box.left - 0.01,
    )
    const [first] = under
    if (first === undefined) continue
    // A label below is the next field: this one is empty.
    if (isLabel(first)) return null
    return { run: first, isAligned: Math.abs(first.box.left - run.box.left) < 0.02 }
  }
  return null
}
