/** From characters to words: parted by spaces, by gaps, and where the line or its direction changes. */

import type { Box } from '../../document.ts'
import { pageBounds } from '../page-bounds.ts'
import type { Character } from './characters.ts'

/** Both in parts of the size of the letters; wider than between letters that are printed apart on purpose. */
const gapMax = 0.4
const shiftMax = 0.5

/** In points. */
export interface PageSize {
  readonly width: number
  readonly height: number
}

export function groupWords(
  characters: readonly Character[],
  page: PageSize,
): readonly (readonly Character[])[] {
  const words: Character[][] = []
  let word: Character[] = []
  const finish = () => {
    if (word.length > 0) words.push(word)
    word = []
  }
  for (const character of characters) {
    const last = word.at(-1)
    if (character.isSpace) finish()
    else {
      if (
        last !== undefined &&
        (word.length >= pageBounds.wordLength || !continues({ last, next: character }, page))
      )
        finish()
      word.push(character)
    }
  }
  finish()
  return words
}

export function textOf(word: readonly Character[]): string {
  return word.map(({ text }) => text).join('')
}

export function boxOf(boxes: readonly Box[]): Box {
  const within = (value: number) => Math.min(1, Math.max(0, value))
  const box = { left: 1, top: 1, right: 0, bottom: 0 }
  for (const each of boxes) {
    box.left = Math.min(box.left, each.left)
    box.top = Math.min(box.top, each.top)
    box.right = Math.max(box.right, each.right)
    box.bottom = Math.max(box.bottom, each.bottom)
  }
  return {
    left: within(box.left),
    top: within(box.top),
    right: within(box.right),
    bottom: within(box.bottom),
  }
}

function continues(
  { last, next }: { readonly last: Character; readonly next: Character },
  page: PageSize,
): boolean {
  if (last.turn !== next.turn) return false
  const [a, b] = [along(last, page), along(next, page)]
  const size = Math.max(last.size, next.size)
  const gap = b.start - a.end
  const isOnLine = b.low - a.high < size * shiftMax && a.low - b.high < size * shiftMax
  return gap < size * gapMax && gap > -size * 2 && isOnLine
}

/** Where a character stands on its line, in points: `start` to `end` the way it is read, `low` to `high` across. */
function along(
  { box, turn }: Character,
  { width, height }: PageSize,
): { readonly start: number; readonly end: number; readonly low: number; readonly high: number } {
  const [left, right, top, bottom] = [
    box.left * width,
    box.right * width,
    box.top * height,
    box.bottom * height,
  ]
  switch (turn) {
    case 0:
      return { start: left, end: right, low: top, high: bottom }
    case 1:
      return { start: top, end: bottom, low: left, high: right }
    case 2:
      return { start: -right, end: -left, low: top, high: bottom }
    case 3:
      return { start: -bottom, end: -top, low: left, high: right }
  }
}
