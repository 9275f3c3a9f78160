/**
 * Where a ship is between two ports: along the route by sea, faster on some days than on others, and sometimes waiting
 * outside the port.
 */
import { findSeaRoute } from '../src/reference/sea-routes/sea-route.ts'
import { between, fraction } from './chance.ts'
import { HOUR } from './local-time.ts'
import { getPlace } from './places.ts'

export interface Whereabouts {
  readonly latitude: number
  readonly longitude: number
  readonly speedKnots: number
  readonly courseDegrees: number
}

export interface Passage {
  readonly from: string
  readonly to: string
  readonly departure: number
  readonly arrival: number
}

const STRETCHES = 8
/**
 * How far from the port, in a straight line, ships wait for their berth. This is outside the area that counts as the
 * port.
 */
const ROADS_NM = 12
const STEP_NM = 1

/** The position of a ship in port: that of the place itself, without speed. */
export function inPort(place: string): Whereabouts {
  const [latitude, longitude] = getPlace(place).at
  return { latitude, longitude, speedKnots: 0, courseDegrees: 0 }
}

/** The position at a moment of the passage. `key` gives each passage its own weather. */
export function underWay(key: string, passage: Passage, now: number): Whereabouts {
  const line = lineOf(passage.from, passage.to)
  const progress = progressOf(key, passage, line)
  const alongNm = progress(now)
  const here = pointAt(line, alongNm)
  const speedKnots = Math.min(40, (progress(now + HOUR / 4) - progress(now - HOUR / 4)) / 0.5)
  return { ...here, speedKnots: Math.round(Math.max(0, speedKnots) * 10) / 10 }
}

interface Point {
  readonly latitude: number
  readonly longitude: number
}

interface Line {
  readonly points: readonly Point[]
  readonly alongNm: readonly number[]
  readonly lengthNm: number
}

function lineOf(from: string, to: string): Line {
  const point = (place: string) => ({ latitude: getPlace(place).at[0], longitude: getPlace(place).at[1] })
  const route = findSeaRoute({ from: point(from), to: point(to) })
  if (route.kind === 'route') return route.line
  // A river port beyond the sea network. A straight line is used, because the network has no rivers.
  return { points: [point(from), point(to)], alongNm: [0, 300], lengthNm: 300 }
}

/**
 * The distance sailed by a moment. Each stretch of time has its own speed, and some ships wait in the roads at the end.
 */
function progressOf(key: string, { departure, arrival }: Passage, line: Line): (now: number) => number {
  const { lengthNm } = line
  const span = Math.max(1, arrival - departure)
  // No ship sails this slowly for days. One that has more time waits for its berth instead.
  const spare = lengthNm > 10 * ROADS_NM ? span - (lengthNm / between(`slowest|${key}`, 10, 12)) * HOUR : 0
  const waits = spare > 0 || (fraction(`roads|${key}`) < 0.3 && lengthNm > 10 * ROADS_NM)
  const wait = waits ? Math.max(spare, Math.min(span / 6, between(`roads for|${key}`, 4 * HOUR, 20 * HOUR))) : 0
  const comingIn = waits ? Math.min(HOUR, span / 20) : 0
  const sailing = span - wait - comingIn
  const weights = Array.from({ length: STRETCHES }, (_, n) => between(`pace|${key}|${n}`, 0.85, 1.15))
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const outsideNm = waits ? roadsOf(line) : lengthNm
  return (now) => {
    const since = Math.min(Math.max(now - departure, 0), span)
    if (since >= sailing) {
      const since2 = since - sailing - wait
      return since2 <= 0 ? outsideNm : outsideNm + (lengthNm - outsideNm) * (since2 / Math.max(1, comingIn))
    }
    const stretch = (since / sailing) * STRETCHES
    const done = Math.floor(stretch)
    const made = weights.slice(0, done).reduce((sum, weight) => sum + weight, 0)
    return (outsideNm * (made + (weights[done] ?? 0) * (stretch - done))) / whole
  }
}

/** How far along the route the roads lie. It is calculated, because the route may wind on its last miles. */
function roadsOf(line: Line): number {
  const end = line.points.at(-1)
  let alongNm = line.lengthNm - ROADS_NM
  while (end !== undefined && alongNm > 0 && apartNm(pointAt(line, alongNm), end) < ROADS_NM) alongNm -= STEP_NM
  return alongNm
}

/**
 * A position between two points of the line, calculated as on a plane: the points are close together, and the
 * simulation needs no more accuracy.
 */
function pointAt(line: Line, alongNm: number): Pick<Whereabouts, 'latitude' | 'longitude' | 'courseDegrees'> {
  let n = line.alongNm.findIndex((along) => along > alongNm) - 1
  if (n < 0) n = Math.max(0, line.points.length - 2)
  const [a, b] = [line.points[n], line.points[n + 1] ?? line.points[n]]
  if (a === undefined || b === undefined) return { latitude: 0, longitude: 0, courseDegrees: 0 }
  const [start, end] = [line.alongNm[n] ?? 0, line.alongNm[n + 1] ?? line.lengthNm]
  const part = end > start ? Math.min(1, (alongNm - start) / (end - start)) : 0
  const east = wrap(b.longitude - a.longitude)
  const north = b.latitude - a.latitude
  const middle = Math.cos((a.latitude * Math.PI) / 180)
  return {
    latitude: a.latitude + north * part,
    longitude: wrap(a.longitude + east * part),
    courseDegrees: Math.round((Math.atan2(east * middle, north) * 180) / Math.PI + 360) % 360,
  }
}

/** The distance, also calculated as on a plane. */
function apartNm(a: Point, b: Point): number {
  const middle = Math.cos((a.latitude * Math.PI) / 180)
  return 60 * Math.hypot(a.latitude - b.latitude, wrap(a.longitude - b.longitude) * middle)
}

function wrap(degrees: number): number {
  return ((((degrees + 180) % 360) + 360) % 360) - 180
}
