/**
 * Pages whose words are upright in level lines, for rules that look for words beside and below; and the way back to the
 * page as it is shown.
 */

import type { Box, PageWords, Quarters } from '../document.ts'
import { tiltBack, turnBack } from '../pages/turned.ts'

export function levelPage(page: PageWords): PageWords {
  const { quarters = 0, tilt = 0 } = page
  if (quarters === 0 && tilt === 0) return page
  const back = ((4 - quarters) % 4) as Quarters // a number from 0 to 3
  const sides = sidesOf(page)
  const words = page.words.map((word) => ({
    ...word,
    box: levelBox(turnBack(word.box, back), tilt, sides),
  }))
  return { ...page, ...sides, words }
}

/** Where a box of the level page is on the page as it is shown. */
export function boxAsShown(box: Box, page: PageWords): Box {
  const { quarters = 0, tilt = 0 } = page
  const onTurned = tilt === 0 ? box : tiltBack(box, tilt, sidesOf(page))
  return turnBack(onTurned, quarters)
}

interface Sides {
  readonly width: number
  readonly height: number
}

function sidesOf({ quarters = 0, width, height }: PageWords): Sides {
  return quarters % 2 === 0 ? { width, height } : { width: height, height: width }
}

/** Of the upright box around a word that slopes: the box of the word itself, after the page was tilted. */
function levelBox(box: Box, tilt: number, { width, height }: Sides): Box {
  if (tilt === 0) return box
  const middle = tiltBack(
    {
      left: (box.left + box.right) / 2,
      right: (box.left + box.right) / 2,
      top: (box.top + box.bottom) / 2,
      bottom: (box.top + box.bottom) / 2,
    },
    -tilt,
    { width, height },
  )
  const [cos, sin] = [Math.cos(tilt), Math.abs(Math.sin(tilt))]
  const [wide, high] = [(box.right - box.left) * width, (box.bottom - box.top) * height]
  // The box around is `wide = w cos + h sin` and `high = h cos + w sin`. Rounding may leave nothing of small boxes.
  const square = cos * cos - sin * sin
  const across = Math.max(wide / 4, (wide * cos - high * sin) / square) / width / 2
  const down = Math.max(high / 4, (high * cos - wide * sin) / square) / height / 2
  return {
    left: middle.left - across,
    top: middle.top - down,
    right: middle.right + across,
    bottom: middle.bottom + down,
  }
}
