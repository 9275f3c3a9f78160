/**
 * How the lines of print run in a picture, by its projection: counted along the lines, rows with letters and rows
 * without differ most.
 */

import { at, type Grey } from './grey.ts'

export interface Slope {
  /** The lines run from side to side, and not up or down. */
  readonly isAcross: boolean
  /** How far they slope besides, in degrees clockwise, if they run across; at most 5 either way. */
  readonly acrossDegrees: number
  /** The same if they run up or down. */
  readonly alongDegrees: number
}

const side = 900
const degreesMax = 5
const degreesMin = 0.15
const inkMax = 120_000

export function findSlope(picture: Grey): Slope {
  const ink = inkOf(picture)
  const [across, along] = [bestOf(ink, 0), bestOf(ink, 90)]
  const matters = (degrees: number) => (Math.abs(degrees) < degreesMin ? 0 : degrees)
  return {
    isAcross: across.score >= along.score,
    acrossDegrees: matters(across.degrees),
    alongDegrees: matters(along.degrees),
  }
}

interface Ink {
  readonly xs: Float64Array
  readonly ys: Float64Array
  readonly count: number
}

/** Longer runs of ink are lines and bars of a form, which run both ways. */
const runMax = 30
const darkest = 140

/** The ink of letters, in a picture that is made small. */
function inkOf({ width, height, data }: Grey): Ink {
  const step = Math.max(1, Math.max(width, height) / side)
  const [columns, rows] = [Math.floor(width / step), Math.floor(height / step)]
  const small = new Uint8Array(columns * rows)
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1)
      if (at(data, Math.floor(row * step) * width + Math.floor(column * step)) < darkest)
        small[row * columns + column] = 1
  const isLine = new Uint8Array(small.length)
  for (let row = 0; row < rows; row += 1)
    markRuns({ small, isLine }, { first: row * columns, count: columns, step: 1 })
  for (let column = 0; column < columns; column += 1)
    markRuns({ small, isLine }, { first: column, count: rows, step: columns })
  const xs = new Float64Array(inkMax)
  const ys = new Float64Array(inkMax)
  let count = 0
  for (let place = 0; place < small.length && count < inkMax; place += 1)
    if (small[place] === 1 && isLine[place] === 0) {
      xs[count] = (place % columns) - columns / 2
      ys[count] = Math.floor(place / columns) - rows / 2
      count += 1
    }
  return { xs, ys, count }
}

function markRuns(
  { small, isLine }: { readonly small: Uint8Array; readonly isLine: Uint8Array },
  { first, count, step }: { readonly first: number; readonly count: number; readonly step: number },
): void {
  let run = 0
  for (let index = 0; index <= count; index += 1) {
    if (index < count && small[first + index * step] === 1) run += 1
    else {
      if (run > runMax) for (let back = index - run; back < index; back += 1) isLine[first + back * step] = 1
      run = 0
    }
  }
}

function bestOf(ink: Ink, base: number): { readonly degrees: number; readonly score: number } {
  let best = { degrees: 0, score: scoreOf(ink, base) }
  const look = (degrees: number) => {
    const score = scoreOf(ink, base + degrees)
    if (score > best.score) best = { degrees, score }
  }
  for (let degrees = -degreesMax; degrees <= degreesMax; degrees += 0.5) look(degrees)
  const rough = best.degrees
  for (let degrees = rough - 0.4; degrees <= rough + 0.41; degrees += 0.1)
    look(Math.min(degreesMax, Math.max(-degreesMax, Math.round(degrees * 10) / 10)))
  return best
}

/** How much neighbouring rows differ in ink when the picture is seen at this angle. */
function scoreOf({ xs, ys, count }: Ink, degrees: number): number {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const rows = new Float64Array(side * 2)
  for (let index = 0; index < count; index += 1) {
    const row = Math.floor(at(ys, index) * cos - at(xs, index) * sin) + side
    rows[row] = at(rows, row) + 1
  }
  let score = 0
  for (let row = 1; row < rows.length; row += 1) score += (at(rows, row) - at(rows, row - 1)) ** 2
  return score
}
