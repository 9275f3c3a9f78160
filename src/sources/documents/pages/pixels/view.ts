/**
 * A view of a picture: turned, straightened and enlarged for reading. It knows where each of its places lies on the
 * picture itself, so that what is read in the view is shown at its place on the page.
 */

import type { Box } from '../../document.ts'
import { at, type Grey } from './grey.ts'

export interface Pose {
  /** How the lines of the picture run, in quarter turns clockwise; the view turns them back. */
  readonly turn: 0 | 1 | 2 | 3
  /** How far they then still slope, in degrees clockwise. */
  readonly skewDegrees: number
  readonly scale: number
}

export interface View {
  readonly grey: Grey
  /** From pixels of the view to fractions of the picture. */
  readonly toPicture: (box: Box) => Box
}

const white = 255

export function viewOf(picture: Grey, pose: Pose): View {
  const isUpright = pose.turn % 2 === 0
  const inner = {
    width: isUpright ? picture.width : picture.height,
    height: isUpright ? picture.height : picture.width,
  }
  const width = Math.max(1, Math.round(inner.width * pose.scale))
  const height = Math.max(1, Math.round(inner.height * pose.scale))
  const way = wayBack(picture, pose, { width, height })
  const grey =
    pose.skewDegrees === 0 && pose.scale === 1
      ? turned(picture, way, { width, height })
      : sampled(picture, way, { width, height })
  const toPicture = ({ left, top, right, bottom }: Box): Box => {
    const xs: number[] = []
    const ys: number[] = []
    for (const x of [left, right])
      for (const y of [top, bottom]) {
        xs.push((way.x0 + way.xx * x + way.xy * y) / picture.width)
        ys.push((way.y0 + way.yx * x + way.yy * y) / picture.height)
      }
    const within = (value: number) => Math.min(1, Math.max(0, value))
    return {
      left: within(Math.min(...xs)),
      top: within(Math.min(...ys)),
      right: within(Math.max(...xs)),
      bottom: within(Math.max(...ys)),
    }
  }
  return { grey, toPicture }
}

/** x on the picture is x0 + xx·x + xy·y of the view; y likewise. */
interface Way {
  readonly x0: number
  readonly xx: number
  readonly xy: number
  readonly y0: number
  readonly yx: number
  readonly yy: number
}

interface Size {
  readonly width: number
  readonly height: number
}

/** Both turn about their middles, which are at the same place. */
function wayBack(picture: Size, { turn, skewDegrees, scale }: Pose, view: Size): Way {
  const angle = (turn * Math.PI) / 2 + (skewDegrees * Math.PI) / 180
  // Quarter turns have no rounding, so that a view that is only turned takes each pixel as it is.
  const isExact = skewDegrees === 0
  const cos = (isExact ? Math.round(Math.cos(angle)) : Math.cos(angle)) / scale
  const sin = (isExact ? Math.round(Math.sin(angle)) : Math.sin(angle)) / scale
  return {
    x0: picture.width / 2 - (cos * view.width) / 2 + (sin * view.height) / 2,
    xx: cos,
    xy: -sin,
    y0: picture.height / 2 - (sin * view.width) / 2 - (cos * view.height) / 2,
    yx: sin,
    yy: cos,
  }
}

function turned({ width: from, data }: Grey, way: Way, { width, height }: Size): Grey {
  if (way.xx === 1) return { width, height, data }
  const made = new Uint8Array(width * height)
  for (let y = 0, to = 0; y < height; y += 1) {
    const step = way.xx + way.yx * from
    let place =
      Math.floor(way.x0 + (way.xx + way.xy * (2 * y + 1)) / 2) +
      Math.floor(way.y0 + (way.yx + way.yy * (2 * y + 1)) / 2) * from
    for (let x = 0; x < width; x += 1, to += 1, place += step) made[to] = at(data, place)
  }
  return { width, height, data: made }
}

/** Between the four pixels round about. Outside of the picture is white. */
function sampled(picture: Grey, way: Way, { width, height }: Size): Grey {
  const { width: columns, height: rows, data } = picture
  const made = new Uint8Array(width * height).fill(white)
  for (let y = 0, to = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, to += 1) {
      const px = way.x0 + way.xx * (x + 0.5) + way.xy * (y + 0.5) - 0.5
      const py = way.y0 + way.yx * (x + 0.5) + way.yy * (y + 0.5) - 0.5
      if (px < -0.5 || py < -0.5 || px > columns - 0.5 || py > rows - 0.5) continue
      const left = Math.min(columns - 2, Math.max(0, Math.floor(px)))
      const top = Math.min(rows - 2, Math.max(0, Math.floor(py)))
      const [partX, partY] = [px - left, py - top]
      const place = top * columns + left
      const high = at(data, place) * (1 - partX) + at(data, place + 1) * partX
      const low = at(data, place + columns) * (1 - partX) + at(data, place + columns + 1) * partX
      const shade = high * (1 - partY) + low * partY
      made[to] = Math.min(white, Math.max(0, shade))
    }
  return { width, height, data: made }
}
