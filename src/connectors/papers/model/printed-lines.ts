/** The lines of a document, as they are shown to a language model, and as its answers are searched in them. */

import type { PageWords, Quarters } from '../document.ts'
import { layOut, type TextRun } from '../fields/runs.ts'
import { rotateBack } from '../pages/rotate-picture.ts'

export interface PrintedLine {
  readonly page: number
  /** From 1, on its page. */
  readonly line: number
  /** Words that are close together, from left to right. */
  readonly runs: readonly TextRun[]
}

/** The first lines, up to this many pages and characters. */
export function listPrintedLines(
  pages: readonly PageWords[],
  max: { readonly pages: number; readonly characters: number },
): readonly PrintedLine[] {
  const layout = layOut(pages.slice(0, max.pages).map(uprightOf))
  const all = [...layout.lines].flatMap(([page, lines]) =>
    lines.map((runs, place): PrintedLine => ({ page, line: place + 1, runs })),
  )
  let characters = 0
  const first = all.findIndex(({ runs }) => {
    characters += runs.reduce((sum, { text }) => sum + text.length + 3, 0)
    return characters > max.characters
  })
  return first === -1 ? all : all.slice(0, first)
}

/** The page turned so that its words are upright. */
function uprightOf(page: PageWords): PageWords {
  const { quarters = 0, width, height } = page
  if (quarters === 0) return page
  const back = ((4 - quarters) % 4) as Quarters // a number from 1 to 3
  const words = page.words.map((word) => ({ ...word, box: rotateBack(word.box, back) }))
  return quarters === 2 ? { ...page, words } : { ...page, words, width: height, height: width }
}
