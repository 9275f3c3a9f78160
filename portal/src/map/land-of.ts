/**
 * Reads the outline of land as tools/portal-land.ts writes it: rings of steps in parts of a degree, wound so that a sphere
 * has the land inside.
 */

type Position = [number, number]

/** `perDegree`: 10 for land.json, 50 for land-fine.json. */
export function landOf(
  polygons: readonly (readonly (readonly number[])[])[],
  perDegree = 10,
): GeoJSON.MultiPolygon {
  const coordinates = polygons.map((rings) => rings.map((ring) => corners(ring, perDegree)))
  return { type: 'MultiPolygon', coordinates }
}

function corners(steps: readonly number[], perDegree: number): Position[] {
  const ring: Position[] = []
  let [x, y] = [0, 0]
  for (let at = 0; at < steps.length; at += 2) {
    x += steps[at] ?? 0
    y += steps[at + 1] ?? 0
    ring.push([x / perDegree, y / perDegree])
  }
  return ring
}
