/**
 * Pages whose words are upright in level lines, for rules that search words beside and below; and the conversion back
 * to the page as it is shown.
 */

import type { PageWords, Quarters, Rectangle } from '../document.ts'
import { rotateBack, tiltBack } from '../pages/rotate-picture.ts'

export function levelPage(page: PageWords): PageWords {
  const { quarters = 0, tilt = 0 } = page
  if (quarters === 0 && tilt === 0) return page
  const back = ((4 - quarters) % 4) as Quarters // a number from 0 to 3
  const sides = sidesOf(page)
  const words = page.words.map((word) => ({
    ...word,
    box: levelRectangle(rotateBack(word.box, back), tilt, sides),
  }))
  return { ...page, ...sides, words }
}

/** The rectangle on the shown page for a rectangle of the level page. */
export function toShownRectangle(rectangle: Rectangle, page: PageWords): Rectangle {
  const { quarters = 0, tilt = 0 } = page
  const onTurned = tilt === 0 ? rectangle : tiltBack(rectangle, tilt, sidesOf(page))
  return rotateBack(onTurned, quarters)
}

interface Sides {
  readonly width: number
  readonly height: number
}

function sidesOf({ quarters = 0, width, height }: PageWords): Sides {
  return quarters % 2 === 0 ? { width, height } : { width: height, height: width }
}

/** From the upright rectangle around a sloping word: the rectangle of the word itself, after the page was tilted. */
function levelRectangle(rectangle: Rectangle, tilt: number, { width, height }: Sides): Rectangle {
  if (tilt === 0) return rectangle
  const middle = tiltBack(
    {
      left: (rectangle.left + rectangle.right) / 2,
      right: (rectangle.left + rectangle.right) / 2,
      top: (rectangle.top + rectangle.bottom) / 2,
      bottom: (rectangle.top + rectangle.bottom) / 2,
    },
    -tilt,
    { width, height },
  )
  const [cos, sin] = [Math.cos(tilt), Math.abs(Math.sin(tilt))]
  const [wide, high] = [(rectangle.right - rectangle.left) * width, (rectangle.bottom - rectangle.top) * height]
  // The outer rectangle is `wide = w cos + h sin` and `high = h cos + w sin`. Rounding may reduce small rectangles to
  // nothing.
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
