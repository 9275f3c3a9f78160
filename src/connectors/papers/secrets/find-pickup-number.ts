/**
 * The pick-up number that a notice or delivery order prints. It gives access to the cargo, so it is not a field of the
 * schema: it is stored encrypted and never shown with the document. Null when the document prints none, or several.
 */

import type { DocumentField, DocumentType, PageWords, Rectangle, Word } from '../document.ts'
import { plainWords } from '../fields/find-labelled.ts'
import { findContainers, findPaperNumber } from '../fields/numbers.ts'
import { boundsOfWords, type TextRun } from '../fields/runs.ts'
import { listPrintedLines, type PrintedLine } from '../model/printed-lines.ts'
import { rotateBack } from '../pages/rotate-picture.ts'

export const pickupField = 'pickup_number'

const kinds: ReadonlySet<DocumentType> = new Set(['arrival_notice', 'delivery_order'])

const labels = new Set([
  ...['pick up', 'pickup'].flatMap((word) =>
    ['no', 'number', 'ref', 'reference', 'pin', 'code', 'pin code'].map((last) => `${word} ${last}`),
  ),
  'release no',
  'release number',
  'release pin',
  'release code',
  'freight release no',
  'delivery order pin',
  'collection code',
  'collection pin',
  'gate pin',
  'pin',
  'pin code',
  'p u no',
])
const labelWordsMax = 4

const everything = { pages: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY }

export function findPickupNumber(pages: readonly PageWords[], type: DocumentType): DocumentField | null {
  if (!kinds.has(type)) return null
  const found = labelsOn(listPrintedLines(pages, everything)).flatMap((label) => numberBeside(label) ?? [])
  const [first] = found
  if (first === undefined || found.some(({ value }) => value !== first.value)) return null
  const { value, text, words, page, sureness } = first
  const clear = words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length
  const confidence = Math.round(sureness * clear * 100) / 100
  return { name: pickupField, value, text, confidence, page, box: rectangleOf(first, pages), by: 'rules' }
}

/** The pages as they may be shown to others: all that may be a pick-up number has its signs struck out. */
export function hidePickupNumbers(pages: readonly PageWords[]): readonly PageWords[] {
  const found = labelsOn(listPrintedLines(pages, everything)).flatMap((label) => {
    const one = numberBeside(label)
    return one === null ? numbersInColumn(label) : [one]
  })
  const hiddenAreas = found.map((each) => ({ page: each.page, box: rectangleOf(each, pages) }))
  return pages.map((page) => ({
    ...page,
    words: page.words.map((word) =>
      hiddenAreas.some((each) => each.page === page.page && isInside(word.box, each.box))
        ? { ...word, text: '*'.repeat(word.text.length) }
        : word,
    ),
  }))
}

function rectangleOf(
  { words, page }: Pick<PickupNumberCandidate, 'words' | 'page'>,
  pages: readonly PageWords[],
): Rectangle {
  return rotateBack(boundsOfWords(words), pages.find((each) => each.page === page)?.quarters ?? 0)
}

function isInside(inner: Rectangle, outer: Rectangle): boolean {
  const [x, y] = [(inner.left + inner.right) / 2, (inner.top + inner.bottom) / 2]
  return x >= outer.left && x <= outer.right && y >= outer.top && y <= outer.bottom
}

interface PickupNumberCandidate {
  readonly value: string
  readonly text: string
  readonly words: readonly Word[]
  readonly page: number
  readonly sureness: number
}

interface PickupNumberLabel {
  readonly run: TextRun
  readonly line: PrintedLine
  /** Words of the run behind it. */
  readonly behind: readonly Word[]
  readonly right: TextRun | null
  /** Lines of the page below it. */
  readonly below: readonly PrintedLine[]
}

function labelsOn(lines: readonly PrintedLine[]): readonly PickupNumberLabel[] {
  return lines.flatMap((line, place) =>
    line.runs.flatMap((run, at): readonly PickupNumberLabel[] => {
      const count = labelLength(run)
      if (count === 0) return []
      const below = lines.slice(place + 1).filter(({ page }) => page === run.page)
      return [{ run, line, behind: run.words.slice(count), right: line.runs[at + 1] ?? null, below }]
    }),
  )
}

/** Behind the label, to its right, or right below it. */
function numberBeside(label: PickupNumberLabel): PickupNumberCandidate | null {
  const { run, behind, right, below } = label
  if (behind.length > 0) return numberIn(behind, run.page, 0.95)
  const beside = right === null ? null : numberIn(right.words, run.page, 0.92)
  if (beside !== null) return beside
  const under = below
    .slice(0, 3)
    .flatMap(({ runs }) => runs)
    .find((each) => isUnder(each, run))
  if (under === undefined || isTable(label)) return null
  const isAligned = Math.abs(under.box.left - run.box.left) < 0.02
  return isAligned ? numberIn(under.words, run.page, 0.9) : null
}

function isUnder({ box }: TextRun, heading: TextRun): boolean {
  return box.left < heading.box.right && box.right > heading.box.left
}

/** Several numbers, each for one container: it cannot be read which number belongs to which container. */
function isTable({ line, below }: PickupNumberLabel): boolean {
  return line.runs.length > 1 && below.slice(0, 3).some(hasContainer)
}

function hasContainer({ runs }: PrintedLine): boolean {
  return runs.some(({ words }) => findContainers(words.map(({ text }) => text)).length > 0)
}

function numbersInColumn(label: PickupNumberLabel): readonly PickupNumberCandidate[] {
  if (!isTable(label)) return []
  return label.below
    .filter(hasContainer)
    .flatMap(({ runs }) => runs.filter((run) => isUnder(run, label.run)))
    .flatMap(({ words, page }) => numberIn(words, page, 0) ?? [])
}

/** How many words of the run are the label; 0 when it does not begin with one. */
function labelLength({ words }: TextRun): number {
  for (let count = Math.min(labelWordsMax, words.length); count > 0; count -= 1) {
    const label = words.slice(0, count).flatMap(({ text }) => plainWords(text))
    if (labels.has(label.join(' '))) return count
  }
  return 0
}

/** The whole text must be the number: in a sentence, words follow the label. */
function numberIn(words: readonly Word[], page: number, sureness: number): PickupNumberCandidate | null {
  const text = words
    .map((word) => word.text)
    .join(' ')
    .replace(/^[\s:#.]+/, '')
  const value = findPaperNumber(text)
  const isWhole = value !== null && plainWords(text).join('') === plainWords(value).join('')
  return isWhole ? { value, text, words, page, sureness } : null
}
