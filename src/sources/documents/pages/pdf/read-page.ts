/** Reads the words that a person sees on a page of a PDF from its own text. */

import type { Word } from '../../document.ts'
import { type Character, readCharacters } from './characters.ts'
import { sizeOf } from './open-pdf.ts'
import { findTextObjects, removeSpokenText } from './page-objects.ts'
import type { Pdfium } from './pdfium.ts'
import type { Pixels } from './render.ts'
import { findVisible } from './visible.ts'
import { boxOf, groupWords, textOf } from './words.ts'

export interface TextOfPage {
  readonly width: number
  readonly height: number
  readonly words: readonly Word[]
  readonly invisibleWords: number
  /** What else is drawn on the page. */
  readonly without: Pixels
}

export function readPageText(pdfium: Pdfium, page: number): TextOfPage {
  const size = sizeOf(pdfium, page)
  const objects = findTextObjects(pdfium, page)
  removeSpokenText(pdfium, objects)
  const characters = readCharacters(pdfium, page)
  const { isVisible, without } = findVisible(pdfium, page, { characters, objects })
  const visible = new Set(characters.filter((_, index) => isVisible[index]))
  const words = groupWords(
    characters.filter((character) => visible.has(character)),
    size,
  )
  const hidden = groupWords(characters, size).filter((word) => word.some((each) => !visible.has(each)))
  return { ...size, words: withoutTwins(words.map(asWord)), invisibleWords: hidden.length, without }
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
