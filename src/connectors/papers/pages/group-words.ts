/**
 * Characters that are close together make a word. PDFium adds a space where it sees a gap; wide gaps end a word as
 * well.
 */

import type { Rectangle } from '../document.ts'
import type { Character } from './page-characters.ts'

/** A word of a page's own text, before it is known whether anybody can see it. */
export interface PrintedWord {
  readonly text: string
  readonly box: Rectangle
  readonly objects: readonly number[]
}

export function groupWords(characters: readonly Character[]): readonly PrintedWord[] {
  const words: PrintedWord[] = []
  let open: (Character & { readonly box: Rectangle })[] = []
  const close = (): void => {
    if (open.length > 0) words.push(wordOf(open))
    open = []
  }
  for (const { box, ...character } of characters) {
    if (box === null) {
      close()
      continue
    }
    if (open.length > 0 && !isNext(open, box)) close()
    open.push({ ...character, box })
  }
  close()
  return words
}

function wordOf(characters: readonly (Character & { readonly box: Rectangle })[]): PrintedWord {
  return {
    text: characters.map(({ text }) => text).join(''),
    box: boundsOf(characters.map(({ box }) => box)),
    objects: [...new Set(characters.map(({ object }) => object))],
  }
}

/**
 * Whether a character can belong to the word so far: beside it, or above or below it in turned text. The largest of its
 * characters is the measure, because a dot does not show the size of the print.
 */
function isNext(word: readonly { readonly box: Rectangle }[], other: Rectangle): boolean {
  const last = word.at(-1)?.box ?? other
  const size = Math.max(...[...word.map(({ box }) => box), other].map(sizeOf))
  const gapX = Math.max(last.left, other.left) - Math.min(last.right, other.right)
  const gapY = Math.max(last.top, other.top) - Math.min(last.bottom, other.bottom)
  return gapX < size && gapY < size
}

function sizeOf({ left, top, right, bottom }: Rectangle): number {
  return Math.max(bottom - top, right - left)
}

/** The smallest rectangle around all. There is at least one. */
export function boundsOf(rectangles: readonly Rectangle[]): Rectangle {
  return rectangles.reduce((all, each) => ({
    left: Math.min(all.left, each.left),
    top: Math.min(all.top, each.top),
    right: Math.max(all.right, each.right),
    bottom: Math.max(all.bottom, each.bottom),
  }))
}
