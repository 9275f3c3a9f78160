/**
 * Reads the outline of land as tools/portal-land.ts writes it: rings of steps in parts of a degree, wound so that a sphere
 * has the land inside.
 */

type Position = [number, number]

const perDegree = 10

export function landOf(polygons: readonly (readonly (readonly number[])[])[]): GeoJSON.MultiPolygon {
  const coordinates = polygons.map((rings) => rings.map(corners))
  return { type: 'MultiPolygon', coordinates }
}

function corners(steps: readonly number[]): Position[] {
  const ring: Position[] = []
  let [x, y] = [0, 0]
  for (let at = 0; at < steps.length; at += 2) {
    x += steps[at] ?? 0
    y += steps[at + 1] ?? 0
    ring.push([x / perDegree, y / perDegree])
  }
  return ring
}
