/**
 * A projection that shows all positions of a journey. A Pacific journey is shown whole: the map is turned to the middle
 * of its longitudes, so that nothing is cut at the 180th meridian in the picture.
 */

import { type GeoProjection, geoNaturalEarth1 } from 'd3-geo'

const marginPx = 40
/** A short journey is not drawn larger than this: the outline of land has tenths of a degree. */
const scaleMax = 900

export function fitJourney(
  positions: readonly (readonly [number, number])[],
  { width, height }: { readonly width: number; readonly height: number },
): GeoProjection {
  const middle = middleOf(positions.map(([longitude]) => longitude))
  const projection = geoNaturalEarth1().rotate([-middle, 0])
  if (positions.length === 0) return projection.fitSize([width, height], { type: 'Sphere' })
  projection.fitExtent(
    [
      [marginPx, marginPx],
      [width - marginPx, height - marginPx],
    ],
    { type: 'MultiPoint', coordinates: positions.map(([x, y]) => [x, y]) },
  )
  // Also for a single place, which could be drawn at any scale.
  if (projection.scale() <= scaleMax) return projection
  const latitudes = positions.map(([, latitude]) => latitude)
  const centre: [number, number] = [middle, (Math.min(...latitudes) + Math.max(...latitudes)) / 2]
  projection.scale(scaleMax).translate([0, 0])
  const [x, y] = projection(centre) ?? [0, 0]
  return projection.translate([width / 2 - x, height / 2 - y])
}

/** The middle of the shortest arc that has all longitudes: opposite to the middle of the widest gap between them. */
export function middleOf(longitudes: readonly number[]): number {
  if (longitudes.length === 0) return 0
  const sorted = [...new Set(longitudes.map((each) => ((each % 360) + 360) % 360))].sort((a, b) => a - b)
  let [gap, end] = [-1, 0]
  sorted.forEach((each, index) => {
    const next = sorted[index + 1] ?? (sorted[0] ?? 0) + 360
    if (next - each > gap) [gap, end] = [next - each, next]
  })
  const middle = end + (360 - gap) / 2
  return ((((middle + 180) % 360) + 360) % 360) - 180
}
