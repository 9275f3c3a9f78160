/** The outline of land for the app. Its file is loaded with the first map. */

import landUrl from './data/land.json?url'
import { landOf } from './land-of.ts'

let reading: Promise<GeoJSON.MultiPolygon> | null = null

export function readLand(): Promise<GeoJSON.MultiPolygon> {
  reading ??= fetch(landUrl)
    .then((answer) => answer.json())
    // safe: tools/portal-land.ts wrote the file
    .then((polygons) => landOf(polygons as number[][][]))
  return reading
}
