/**
 * A way over the globe as points joined by great circles: its points by distance along it, its sections, its nearest
 * point.
 */

import { bearingDegrees, distanceNm, earthRadiusNm, type GeoPoint, pointBetween } from './great-circle.ts'

export interface RouteLine {
  /** At least one point. */
  readonly points: readonly GeoPoint[]
  /** How far along the line each point is, in nautical miles: the first at 0, the last at its length. */
  readonly alongNm: readonly number[]
  readonly lengthNm: number
}

/** A point that follows itself counts once. */
export function makeRouteLine(given: readonly GeoPoint[]): RouteLine {
  const points = given.filter((point, index) => index === 0 || !isSamePoint(point, given[index - 1]))
  const alongNm: number[] = []
  let lengthNm = 0
  for (const [index, point] of points.entries()) {
    const before = points[index - 1]
    if (before !== undefined) lengthNm += distanceNm(before, point)
    alongNm.push(lengthNm)
  }
  return { points, alongNm, lengthNm }
}

function isSamePoint(a: GeoPoint, b: GeoPoint | undefined): boolean {
  return a.latitude === b?.latitude && a.longitude === b.longitude
}

export interface PointOnLine extends GeoPoint {
  /** The course there, degrees from north; null on a line that has only one point. */
  readonly bearing: number | null
}

/** The point so many miles along the line. Before the start it is the start, behind the end it is the end. */
export function pointAlong(line: RouteLine, alongNm: number): PointOnLine {
  const at = Math.min(Math.max(alongNm, 0), line.lengthNm)
  const index = segmentAt(line, at)
  const [from, to] = [line.points[index], line.points[index + 1]]
  const only = line.points[0] ?? { latitude: 0, longitude: 0 }
  if (from === undefined || to === undefined) return { ...only, bearing: null }
  const [startNm, endNm] = [line.alongNm[index] ?? 0, line.alongNm[index + 1] ?? 0]
  const point = at >= endNm ? to : pointBetween(from, to, (at - startNm) / (endNm - startNm))
  // At the end of a segment there is nothing ahead to aim at: the course is the one that led there.
  const bearing = endNm - at < 1e-6 ? (bearingDegrees(to, from) + 180) % 360 : bearingDegrees(point, to)
  return { latitude: point.latitude, longitude: point.longitude, bearing }
}

/** The number of the last segment that begins at or before this mile (binary search). */
function segmentAt({ points, alongNm }: RouteLine, at: number): number {
  let [low, high] = [0, Math.max(0, points.length - 2)]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((alongNm[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** The part of the line between two distances along it. */
export function sliceLine(line: RouteLine, range: { readonly fromNm: number; readonly toNm: number }): RouteLine {
  const between = line.points.filter((_, index) => {
    const at = line.alongNm[index] ?? 0
    return at > range.fromNm && at < range.toNm
  })
  const [start, end] = [pointAlong(line, range.fromNm), pointAlong(line, range.toNm)]
  return makeRouteLine([toGeoPoint(start), ...between, toGeoPoint(end)])
}

function toGeoPoint({ latitude, longitude }: GeoPoint): GeoPoint {
  return { latitude, longitude }
}

/**
 * The point of the line that is nearest to the given point: how far along the line it is, and how far it is from the
 * given point.
 */
export function nearestOnLine(line: RouteLine, point: GeoPoint): { readonly alongNm: number; readonly offNm: number } {
  let nearest = { alongNm: 0, offNm: Number.POSITIVE_INFINITY }
  for (const [index, from] of line.points.entries()) {
    const to = line.points[index + 1] ?? from
    const startNm = line.alongNm[index] ?? 0
    const segmentNm = (line.alongNm[index + 1] ?? startNm) - startNm
    const alongNm = Math.min(Math.max(alongCircle(from, to, point), 0), segmentNm)
    const there = segmentNm === 0 ? from : pointBetween(from, to, alongNm / segmentNm)
    const offNm = distanceNm(there, point)
    if (offNm < nearest.offNm) nearest = { alongNm: startNm + alongNm, offNm }
  }
  return nearest
}

/**
 * The distance from `from`, along the great circle through `from` and `to`, to the point nearest to `point`; negative
 * if it is before `from`.
 */
function alongCircle(from: GeoPoint, to: GeoPoint, point: GeoPoint): number {
  const away = distanceNm(from, point) / earthRadiusNm
  const turnAngle = ((bearingDegrees(from, point) - bearingDegrees(from, to)) * Math.PI) / 180
  return Math.atan2(Math.sin(away) * Math.cos(turnAngle), Math.cos(away)) * earthRadiusNm
}
