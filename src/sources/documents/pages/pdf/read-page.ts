/** Reads the words that a person sees on a page of a PDF from its own text. */

import type { LineRun, Word } from '../../document.ts'
import { type Character, readCharacters } from './characters.ts'
import { sizeOf } from './open-pdf.ts'
import { findTextObjects, removeSpokenText } from './page-objects.ts'
import type { Pdfium } from './pdfium.ts'
import { findVisible, unknownObjects } from './visible.ts'
import { boxOf, groupWords, textOf } from './words.ts'

export interface TextOfPage {
  readonly words: readonly Word[]
  readonly invisibleWords: number
  /** How most words run. */
  readonly turn: LineRun['turn']
}

/** Switches off on the page whatever draws the text that was read: what is rendered then is the rest. */
export function readPageText(pdfium: Pdfium, page: number): TextOfPage {
  const size = sizeOf(pdfium, page)
  const objects = findTextObjects(pdfium, page)
  removeSpokenText(pdfium, objects)
  const all = readCharacters(pdfium, page)
  const isVisible = findVisible(pdfium, page, { characters: all, objects })
  const visible = new Set(all.filter((_, index) => isVisible[index]))
  const unknown = unknownObjects(all)
  const known = all.filter(({ object }) => !unknown.has(object))
  const words = groupWords(
    known.filter((character) => visible.has(character)),
    size,
  )
  const hidden = groupWords(known, size).filter((word) => word.some((each) => !visible.has(each)))
  return {
    words: withoutTwins(words.map(asWord)),
    invisibleWords: hidden.length,
    turn: mostFrequentTurn(words),
  }
}

function mostFrequentTurn(words: readonly (readonly Character[])[]): LineRun['turn'] {
  const counts = [0, 0, 0, 0]
  for (const [first] of words) if (first !== undefined) counts[first.turn] = (counts[first.turn] ?? 0) + 1
  return counts.indexOf(Math.max(...counts)) as LineRun['turn']
}

function asWord(word: readonly Character[]): Word {
  return { text: textOf(word), box: boxOf(word.map(({ box }) => box)), confidence: 1 }
}

/** Bold print is often the same word drawn twice, a hair apart. */
function withoutTwins(words: readonly Word[]): readonly Word[] {
  const seen = new Map<string, Word[]>()
  return words.filter((word) => {
    const twins = seen.get(word.text) ?? []
    seen.set(word.text, [...twins, word])
    return !twins.some((twin) => isNear(twin, word))
  })
}

function isNear({ box: a }: Word, { box: b }: Word): boolean {
  const near = (b.bottom - b.top) / 3
  return Math.abs(a.left - b.left) < near && Math.abs(a.top - b.top) < near
}
