/**
 * Makes the outline of land for the small maps of the portal, of shared pages and of the widget:
 * portal/src/map/data/land.json, from the countries that map-pictures uses. Positions are whole tenths of a degree; each
 * ring has its first position and then the steps to the next ones. Rings are wound as `d3-geo` wants them: the smaller side
 * of the sphere is land.
 */

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { geoArea } from 'd3-geo'

type Position = readonly [number, number]
type Rings = readonly (readonly Position[])[]
interface Countries {
  readonly features: readonly {
    readonly geometry:
      | { readonly type: 'Polygon'; readonly coordinates: Rings }
      | { readonly type: 'MultiPolygon'; readonly coordinates: readonly Rings[] }
  }[]
}

const perDegree = 10
const cornersMin = 4
const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))
const source = 'tools/map-pictures/data/countries-110m.geo.json.gz'
const target = 'portal/src/map/data/land.json'

// safe: the file is written by us, and its SOURCE.json tells its shape
const { features } = JSON.parse(gunzipSync(readFileSync(at(source))).toString('utf8')) as Countries
const polygons = features.flatMap(({ geometry }) =>
  geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates,
)
const land = polygons
  .map((rings) => rings.filter(([first]) => first !== undefined).map(wound))
  .map((rings) => rings.map(steps).filter((ring) => ring.length >= cornersMin * 2))
  .filter((rings) => rings.length > 0)
const text = `${JSON.stringify(land)}\n`
writeFileSync(at(target), text)
const about = JSON.parse(readFileSync(at(`${source}.SOURCE.json`), 'utf8')) as Record<string, unknown>
const changes = `${String(about['changes'])} Names taken out, positions rounded to a tenth of a degree (tools/portal-land.ts).`
const sha256 = createHash('sha256').update(text).digest('hex')
writeFileSync(
  at(`${target}.SOURCE.json`),
  `${JSON.stringify({ ...about, changes, sha256, rows: land.length }, null, 2)}\n`,
)
console.log(`Wrote ${target}: ${land.length} polygons, ${text.length} bytes.`)

/** The outer ring has the land inside, and each hole the water: both less than half of the sphere. */
function wound(ring: readonly Position[], index: number): readonly Position[] {
  const coordinates = [ring.map(([x, y]) => [x, y])]
  const isSmall = geoArea({ type: 'Polygon', coordinates }) < 2 * Math.PI
  return isSmall === (index === 0) ? ring : ring.toReversed()
}

function steps(ring: readonly Position[]): readonly number[] {
  const corners: number[] = []
  let before: readonly [number, number] | null = null
  for (const [longitude, latitude] of ring) {
    const here = [Math.round(longitude * perDegree), Math.round(latitude * perDegree)] as const
    if (before !== null && before[0] === here[0] && before[1] === here[1]) continue
    corners.push(here[0] - (before?.[0] ?? 0), here[1] - (before?.[1] ?? 0))
    before = here
  }
  return corners
}
