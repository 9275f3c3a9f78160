/** The outline of land, as GeoJSON. Its file is loaded with the first map. */

import landUrl from './data/land.json?url'

type Position = [number, number]
const perDegree = 10
let reading: Promise<GeoJSON.MultiPolygon> | null = null

export function readLand(): Promise<GeoJSON.MultiPolygon> {
  reading ??= fetch(landUrl)
    .then((answer) => answer.json())
    // safe: tools/portal-land.ts wrote the file
    .then((polygons) => ({
      type: 'MultiPolygon' as const,
      coordinates: (polygons as number[][][]).map((rings) => rings.map(corners)),
    }))
  return reading
}

function corners(steps: readonly number[]): Position[] {
  const ring: Position[] = []
  let [x, y] = [0, 0]
  for (let at = 0; at < steps.length; at += 2) {
    x += steps[at] ?? 0
    y += steps[at + 1] ?? 0
    ring.push([x / perDegree, y / perDegree])
  }
  // Drawn on a sphere, a ring has its land to the right, which is the reverse of GeoJSON.
  return ring.reverse()
}
