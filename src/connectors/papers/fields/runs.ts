/**
 * The layout of a page as people see it: words on one line with little between them are a run, such as a label, a value
 * or a cell of a table.
 */

import type { PageWords, Rectangle, Word } from '../document.ts'

export interface TextRun {
  readonly page: number
  readonly text: string
  readonly box: Rectangle
  readonly words: readonly Word[]
  /** Mean of its words, 0 to 1. */
  readonly confidence: number
  /** Lines count from the top of the page. */
  readonly line: number
}

export interface Layout {
  readonly runs: readonly TextRun[]
  /** Runs of a page by line, from left to right. */
  readonly lines: ReadonlyMap<number, readonly (readonly TextRun[])[]>
}

/** A gap wider than this many heights of the print ends a run: more than one blank of a typewriter. */
const gapMax = 1.45

export function layOut(pages: readonly PageWords[]): Layout {
  const lines = new Map(pages.map((page) => [page.page, linesOf(page)]))
  return { runs: [...lines.values()].flat(2), lines }
}

function linesOf({ page, width, height, words }: PageWords): readonly (readonly TextRun[])[] {
  const shape = width / height
  return groupLines(words).map((line, place) => splitLine(line, shape).map((of) => runOf(of, { page, line: place })))
}

/** Words whose middle lies within the height of the line so far. A line that slopes, as on a photo, stays one line. */
function groupLines(words: readonly Word[]): readonly (readonly Word[])[] {
  const lines: { words: Word[]; last: Rectangle }[] = []
  const byTop = [...words].sort((one, other) => getMiddle(one.box) - getMiddle(other.box))
  let from = 0
  for (const word of byTop) {
    const at = getMiddle(word.box)
    // Lines far above cannot get the word any more.
    while (from < lines.length && (lines[from]?.last.bottom ?? 0) < word.box.top - 0.05) from += 1
    const [found] = lines
      .slice(from)
      .filter(({ last }) => at > last.top && at < last.bottom && isAlike(last, word.box))
      .sort((one, other) => Math.abs(getMiddle(one.last) - at) - Math.abs(getMiddle(other.last) - at))
    if (found === undefined) lines.push({ words: [word], last: word.box })
    else found.words.push(word)
  }
  return lines.map(({ words: of }) => of.sort((one, other) => one.box.left - other.box.left))
}

function getMiddle({ top, bottom }: Rectangle): number {
  return (top + bottom) / 2
}

/** Large print beside small print is not on its line, unless one is at most three times as high. */
function isAlike(one: Rectangle, other: Rectangle): boolean {
  const [a, b] = [one.bottom - one.top, other.bottom - other.top]
  return Math.max(a, b) <= 3 * Math.max(1e-6, Math.min(a, b))
}

/** `shape`: width by height of the page, since gaps are fractions of the width and print of the height. */
function splitLine(words: readonly Word[], shape: number): readonly (readonly Word[])[] {
  const runs: Word[][] = []
  let lastRight = Number.NEGATIVE_INFINITY
  for (const word of words) {
    const print = word.box.bottom - word.box.top
    const gap = (word.box.left - lastRight) * shape
    const open = runs.at(-1)
    if (open !== undefined && gap < gapMax * print) open.push(word)
    else runs.push([word])
    lastRight = Math.max(word.box.right, open === undefined ? word.box.right : lastRight)
  }
  return runs
}

function runOf(words: readonly Word[], of: { readonly page: number; readonly line: number }): TextRun {
  return {
    ...of,
    text: words.map(({ text }) => text).join(' '),
    box: boundsOfWords(words),
    words,
    confidence: words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length,
  }
}

export function boundsOfWords(words: readonly Word[]): Rectangle {
  return {
    left: Math.min(...words.map(({ box }) => box.left)),
    top: Math.min(...words.map(({ box }) => box.top)),
    right: Math.max(...words.map(({ box }) => box.right)),
    bottom: Math.max(...words.map(({ box }) => box.bottom)),
  }
}
