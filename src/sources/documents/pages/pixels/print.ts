/** Whether a picture looks as if print were on it: many spots of the size of letters. */

import { at, byTable, countShades, type Grey } from './grey.ts'

/** Of 255: lighter than its ground by less is not print. */
const contrast = 50
/** In points: from small print to headings. */
const letter = { low: 2.5, high: 40 } as const
const lettersMin = 30

/** `dpi`: of the picture. Neither a few letters of a logo nor lines and boxes are print. */
export function looksPrinted(picture: Grey, dpi: number): boolean {
  return countLetters(picture, dpi) >= lettersMin
}

export function countLetters(picture: Grey, dpi: number): number {
  const { width, height } = picture
  const ink = inkOf(picture)
  const { low, high } = { low: (letter.low * dpi) / 72, high: (letter.high * dpi) / 72 }
  const stack = new Int32Array(width * height)
  let letters = 0
  for (let start = 0; start < ink.length; start += 1) {
    if (ink[start] !== 1) continue
    const { spanX, spanY } = spotAt({ ink, width, height, stack }, start)
    if (spanY >= low && spanY <= high && spanX <= high) letters += 1
  }
  return letters
}

/** 1 where a pixel differs from the most frequent shade. */
function inkOf({ data }: Grey): Uint8Array {
  const counts = countShades(data)
  const ground = counts.indexOf(Math.max(...counts))
  return byTable(data, (shade) => (Math.abs(shade - ground) >= contrast ? 1 : 0))
}

interface Spots {
  /** 1 for ink, 2 for ink that was counted. */
  readonly ink: Uint8Array
  readonly width: number
  readonly height: number
  readonly stack: Int32Array
}

function spotAt(
  { ink, width, height, stack }: Spots,
  start: number,
): { readonly spanX: number; readonly spanY: number } {
  const x = start % width
  let [left, right, top, bottom] = [x, x, Math.floor(start / width), Math.floor(start / width)]
  let depth = 1
  stack[0] = start
  ink[start] = 2
  const visit = (place: number) => {
    if (ink[place] !== 1) return
    ink[place] = 2
    stack[depth] = place
    depth += 1
  }
  while (depth > 0) {
    depth -= 1
    const place = at(stack, depth)
    const [column, row] = [place % width, Math.floor(place / width)]
    left = Math.min(left, column)
    right = Math.max(right, column)
    top = Math.min(top, row)
    bottom = Math.max(bottom, row)
    if (column > 0) visit(place - 1)
    if (column < width - 1) visit(place + 1)
    if (row > 0) visit(place - width)
    if (row < height - 1) visit(place + width)
  }
  return { spanX: right - left + 1, spanY: bottom - top + 1 }
}
