/** Turns a page so that its lines run to the right, for rules that look for what stands beside and below. */

import type { Box, LineRun, PageWords } from './document.ts'

/** The same words in the same order, with boxes in fractions of the turned page: the proof is the box in `page` itself. */
export function asRead(page: PageWords): PageWords {
  if (page.lines === undefined) return page
  const { lines, ...rest } = page
  const isUpright = lines.turn % 2 === 0
  const width = isUpright ? page.width : page.height
  const height = isUpright ? page.height : page.width
  const turn = turnBack(lines, { from: page, to: { width, height } })
  return { ...rest, width, height, words: page.words.map((word) => ({ ...word, box: turn(word.box) })) }
}

interface Size {
  readonly width: number
  readonly height: number
}

/** About the middle of the page, which stays where it is. */
function turnBack(
  { turn, skewDegrees }: LineRun,
  { from, to }: { readonly from: Size; readonly to: Size },
): (box: Box) => Box {
  const skew = (skewDegrees * Math.PI) / 180
  const angle = (turn * Math.PI) / 2 + skew
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return ({ left, top, right, bottom }) => {
    const x = ((left + right) / 2 - 0.5) * from.width
    const y = ((top + bottom) / 2 - 0.5) * from.height
    const [middleX, middleY] = [x * cos + y * sin, y * cos - x * sin]
    const [wide, high] = [(right - left) * from.width, (bottom - top) * from.height]
    const { width, height } = unsloped(
      turn % 2 === 0 ? { width: wide, height: high } : { width: high, height: wide },
      Math.abs(skew),
    )
    return {
      left: 0.5 + (middleX - width / 2) / to.width,
      top: 0.5 + (middleY - height / 2) / to.height,
      right: 0.5 + (middleX + width / 2) / to.width,
      bottom: 0.5 + (middleY + height / 2) / to.height,
    }
  }
}

/** The rectangle that has this one around it when it slopes so. */
function unsloped({ width, height }: Size, skew: number): Size {
  const [cos, sin] = [Math.cos(skew), Math.sin(skew)]
  const scale = Math.cos(2 * skew)
  const least = Math.min(width, height) / 4
  return {
    width: Math.max(least, (width * cos - height * sin) / scale),
    height: Math.max(least, (height * cos - width * sin) / scale),
  }
}
