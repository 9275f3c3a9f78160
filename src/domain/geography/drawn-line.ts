/**
 * A line over the globe made ready for a flat map: bent along its great circles, and either cut at the 180th meridian
 * as GeoJSON wants it (RFC 7946, 3.1.9) or unwrapped, with longitudes that run on past 180.
 */

import { distanceNm, type GeoPoint, pointBetween } from './great-circle.ts'

/** A straight stroke of this length on the map is nowhere a mile off its great circle, up to 60 degrees of latitude. */
const strokeNmMax = 120

/** The same line with more points, close enough together to be joined by straight strokes. */
export function densifyLine(points: readonly GeoPoint[]): readonly GeoPoint[] {
  return points.flatMap((point, index) => {
    const next = points[index + 1]
    if (next === undefined) return [point]
    const strokes = Math.max(1, Math.ceil(distanceNm(point, next) / strokeNmMax))
    return Array.from({ length: strokes }, (_, stroke) =>
      stroke === 0 ? point : pointBetween(point, next, stroke / strokes),
    )
  })
}

/** Longitudes of neighbours never differ by more than 180, so that a line over the Pacific is one stroke. */
export function unwrapLine(points: readonly GeoPoint[]): readonly GeoPoint[] {
  let crossings = 0
  return points.map(({ latitude, longitude }, index) => {
    const before = points[index - 1]
    if (before !== undefined) crossings += crossingBetween(before.longitude, longitude)
    return { latitude, longitude: longitude + crossings * 360 }
  })
}

/**
 * Parts that each stay on one side of the 180th meridian. Where the line is cut, one part ends at 180 and the next
 * begins at -180, or the reverse.
 */
export function splitAtAntimeridian(points: readonly GeoPoint[]): readonly (readonly GeoPoint[])[] {
  const parts: GeoPoint[][] = [[]]
  for (const [index, point] of points.entries()) {
    const before = points[index - 1]
    const crossing = before === undefined ? 0 : crossingBetween(before.longitude, point.longitude)
    if (before !== undefined && crossing !== 0) {
      const ahead = point.longitude + crossing * 360
      const fraction = (180 * crossing - before.longitude) / (ahead - before.longitude || 1)
      const latitude = before.latitude + (point.latitude - before.latitude) * fraction
      parts.at(-1)?.push({ latitude, longitude: 180 * crossing })
      parts.push([{ latitude, longitude: -180 * crossing }])
    }
    parts.at(-1)?.push(point)
  }
  return parts.map(withoutRepeats).filter((fraction) => fraction.length > 1 || parts.length === 1)
}

/** 1 when the shorter way from one longitude to the other leads east over the 180th meridian, -1 when west, else 0. */
function crossingBetween(from: number, to: number): number {
  if (to - from > 180) return -1
  return to - from < -180 ? 1 : 0
}

function withoutRepeats(points: readonly GeoPoint[]): readonly GeoPoint[] {
  return points.filter((point, index) => {
    const before = points[index - 1]
    return before === undefined || before.latitude !== point.latitude || before.longitude !== point.longitude
  })
}
