/** Pictures turned by quarters and by small angles, and the conversion of their places back. */

import type { Quarters, Rectangle } from '../document.ts'
import type { GreyPicture } from './grey.ts'
import { boundsOf } from './group-words.ts'

/** The picture turned by this many quarters, clockwise. */
export function rotatePicture(picture: GreyPicture, quarters: Quarters): GreyPicture {
  let turned = picture
  for (let done = 0; done < quarters; done += 1) turned = rotateQuarter(turned)
  return turned
}

function rotateQuarter({ width, height, bytes }: GreyPicture): GreyPicture {
  const turned = new Uint8Array(bytes.length)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) turned[x * height + (height - 1 - y)] = bytes[y * width + x] ?? 255
  return { width: height, height: width, bytes: turned }
}

/** The rectangle on the original picture for a rectangle of the turned picture. Fractions of width and height. */
export function rotateBack(rectangle: Rectangle, quarters: Quarters): Rectangle {
  let { left, top, right, bottom } = rectangle
  for (let done = 0; done < quarters; done += 1) [left, top, right, bottom] = [top, 1 - right, bottom, 1 - left]
  return { left, top, right, bottom }
}

/** The picture turned about its middle by an angle (radians, clockwise), in the same frame, white where nothing was. */
export function tiltPicture(picture: GreyPicture, angle: number): GreyPicture {
  if (angle === 0) return picture
  const { width, height, bytes } = picture
  const tilted = new Uint8Array(bytes.length).fill(255)
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [midX, midY] = [width / 2, height / 2]
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      // No object is created for each pixel: with pairs of numbers a page needed nearly twice the time.
      const fromX = midX + (x - midX) * cos + (y - midY) * sin
      const fromY = midY - (x - midX) * sin + (y - midY) * cos
      const column = Math.floor(fromX)
      const row = Math.floor(fromY)
      if (column < 0 || row < 0 || column >= width - 1 || row >= height - 1) continue
      const right = fromX - column
      const at = row * width + column
      const above = (bytes[at] ?? 255) * (1 - right) + (bytes[at + 1] ?? 255) * right
      const under = (bytes[at + width] ?? 255) * (1 - right) + (bytes[at + width + 1] ?? 255) * right
      tilted[y * width + x] = above + (under - above) * (fromY - row)
    }
  return { width, height, bytes: tilted }
}

/**
 * The rectangle on the original picture for a rectangle of the tilted picture: the smallest upright rectangle around
 * it.
 */
export function tiltBack(
  rectangle: Rectangle,
  angle: number,
  { width, height }: Omit<GreyPicture, 'bytes'>,
): Rectangle {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const corners = [
    [rectangle.left, rectangle.top],
    [rectangle.right, rectangle.top],
    [rectangle.left, rectangle.bottom],
    [rectangle.right, rectangle.bottom],
  ].map(([x = 0, y = 0]) => {
    const [dx, dy] = [(x - 0.5) * width, (y - 0.5) * height]
    const [left, top] = [0.5 + (dx * cos + dy * sin) / width, 0.5 + (dy * cos - dx * sin) / height]
    return { left, top, right: left, bottom: top }
  })
  return boundsOf(corners)
}

/** Angles (radians, clockwise, at most five degrees) by which a page must be tilted so that its lines are level. */
export interface PageOrientation {
  /** Lines of print seem to run from top to bottom. A page of equal lines can deceive: the reading shows it. */
  readonly isOnItsSide: boolean
  /** Tilt of the print (radians) if the page is upright or upside down. */
  readonly upright: number
  /** Tilt of the print (radians) if the page lies on its side, after it was turned by one quarter or three. */
  readonly onItsSide: number
}

const anglesMax = (5 * Math.PI) / 180
const pointsMax = 60_000

/** Finds out by the dark pixels: along level lines of print, rows are alternately full and empty. */
export function detectOrientation(picture: GreyPicture): PageOrientation {
  const points = darkPoints(picture)
  const lying = { xs: points.ys.map((y) => picture.height - y), ys: points.xs }
  const upright = bestAngle(points, picture.height)
  const onItsSide = bestAngle(lying, picture.width)
  return {
    isOnItsSide: onItsSide.order > upright.order * 1.15,
    upright: upright.angle,
    onItsSide: onItsSide.angle,
  }
}

interface Points {
  readonly xs: readonly number[]
  readonly ys: readonly number[]
}

function darkPoints({ width, height, bytes }: GreyPicture): Points {
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / 1_500_000)))
  const xs: number[] = []
  const ys: number[] = []
  for (let y = 0; y < height; y += step)
    for (let x = 0; x < width; x += step)
      if ((bytes[y * width + x] ?? 255) < 128) {
        xs.push(x)
        ys.push(y)
      }
  const every = Math.ceil(xs.length / pointsMax)
  const sample = <T>(values: readonly T[]): readonly T[] => values.filter((_, place) => place % every === 0)
  return every <= 1 ? { xs, ys } : { xs: sample(xs), ys: sample(ys) }
}

function bestAngle(points: Points, length: number): { readonly angle: number; readonly order: number } {
  const tried = (angles: readonly number[]) =>
    angles
      .map((angle) => ({ angle, order: measureUnevenness(points, length, angle) }))
      .reduce((best, each) => (each.order > best.order ? each : best))
  const step = Math.PI / 360
  const rough = tried(Array.from({ length: 21 }, (_, place) => (place - 10) * step))
  const fine = tried(Array.from({ length: 11 }, (_, place) => rough.angle + ((place - 5) * step) / 5))
  // Level within a fifth of a degree needs no turning.
  const slope = Math.abs(fine.angle) < step * 0.4 ? 0 : Math.max(-anglesMax, Math.min(anglesMax, fine.angle))
  // Lines that fall to the right are level after the page was turned the other way.
  return { angle: slope === 0 ? 0 : -slope, order: fine.order }
}

/** How unevenly the points are spread over rows that fall to the right by the angle. */
function measureUnevenness({ xs, ys }: Points, length: number, angle: number): number {
  const tangent = Math.tan(angle)
  const bins = new Float64Array(Math.ceil(length / 3) + 2)
  for (let place = 0; place < xs.length; place += 1) {
    const row = Math.floor(((ys[place] ?? 0) - (xs[place] ?? 0) * tangent) / 3)
    if (row >= 0 && row < bins.length) bins[row] = (bins[row] ?? 0) + 1
  }
  let order = 0
  for (let row = 1; row < bins.length; row += 1) order += ((bins[row] ?? 0) - (bins[row - 1] ?? 0)) ** 2
  return order / Math.max(1, xs.length)
}
